// Is standard input one JSON value? With a JSON pointer (RFC 6901): prints what it points to.
//   json_check [/races/0/variable]
// Exit code 1: no JSON, or nothing there.
#include <cstdio>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

int main(int argc, char** argv) {
  try {
    const auto json = nlohmann::json::parse(std::cin);
    if (argc < 2) return 0;
    const auto& value = json.at(nlohmann::json::json_pointer(argv[1]));
    std::cout << (value.is_string() ? value.get<std::string>() : value.dump()) << '\n';
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "json_check: %s\n", e.what());
    return 1;
  }
}
