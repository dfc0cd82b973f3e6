#include "report/records.h"

#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/utf8.h"

namespace steward::report {

namespace {

using nlohmann::json;

// A field that is there but not of its type. The first one is what is said of the line.
struct Wrong {
  std::string text;
};

// Looks fields up by name. One that is missing has its default value: only what is wrong stops us.
class Fields {
 public:
  explicit Fields(const json& object) : object_(object) {
    if (!object.is_object()) throw Wrong{"expected an object"};
  }

  const json* find(const char* key) const {
    const auto it = object_.find(key);
    return it == object_.end() || it->is_null() ? nullptr : &*it;
  }

  std::string text(const char* key) const {
    const json* v = find(key);
    if (v == nullptr) return {};
    if (!v->is_string()) throw Wrong{fmt::format("\"{}\" is not a string", key)};
    return bytes_of(v->get_ref<const std::string&>());
  }

  template <class T>
  T number(const char* key) const {
    const json* v = find(key);
    return v == nullptr ? T{} : as_number<T>(*v, key);
  }

  template <class T>
  std::optional<T> optional(const char* key) const {
    const json* v = find(key);
    if (v == nullptr) return std::nullopt;
    return as_number<T>(*v, key);
  }

  // Above 0, at most 1.
  std::optional<double> share(const char* key) const {
    const json* v = find(key);
    if (v == nullptr) return std::nullopt;
    const double n = v->is_number() ? v->get<double>() : 0;
    if (!(n > 0 && n <= 1)) throw Wrong{fmt::format("\"{}\" is not above 0 and at most 1", key)};
    return n;
  }

  bool flag(const char* key) const {
    const json* v = find(key);
    if (v == nullptr) return false;
    if (!v->is_boolean()) throw Wrong{fmt::format("\"{}\" is not true or false", key)};
    return v->get<bool>();
  }

  Address address(const char* key) const {
    const json* v = find(key);
    return v == nullptr ? 0 : as_address(*v, key);
  }

  RawStack stack() const {
    RawStack stack;
    for (const json& v : array("stack")) stack.push_back(as_address(v, "stack"));
    return stack;
  }

  const json& array(const char* key) const {
    static const json none = json::array();
    const json* v = find(key);
    if (v == nullptr) return none;
    if (!v->is_array()) throw Wrong{fmt::format("\"{}\" is not an array", key)};
    return *v;
  }

  template <class T>
  static T as_number(const json& v, const char* key) {
    if (v.is_number_unsigned()) {
      const auto n = v.get<std::uint64_t>();
      if (n <= static_cast<std::uint64_t>(std::numeric_limits<T>::max())) return static_cast<T>(n);
    } else if (v.is_number_integer()) {
      const auto n = v.get<std::int64_t>();
      if (std::numeric_limits<T>::is_signed &&
          n >= static_cast<std::int64_t>(std::numeric_limits<T>::min())) {
        return static_cast<T>(n);
      }
    }
    throw Wrong{fmt::format("\"{}\" is not a number that fits", key)};
  }

 private:
  static Address as_address(const json& v, const char* key) {
    if (v.is_number_unsigned()) return v.get<std::uint64_t>();
    Address value = 0;
    if (v.is_string()) {
      std::string_view s = v.get_ref<const std::string&>();
      if (s.starts_with("0x")) s.remove_prefix(2);
      const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value, 16);
      if (error == std::errc() && end == s.data() + s.size() && !s.empty()) return value;
    }
    throw Wrong{fmt::format("\"{}\" is not an address such as \"0x7f00\"", key)};
  }

  const json& object_;
};

StartRecord start(const Fields& f) {
  const int version = f.number<int>("version");
  if (version != kRecordVersion) {
    throw Wrong{fmt::format("records of version {}; this steward reads version {}", version,
                            kRecordVersion)};
  }
  StartRecord r{f.number<int>("pid"), f.text("tool"), f.text("exe"), {}, f.share("sampling_rate")};
  for (const json& v : f.array("args")) {
    if (!v.is_string()) throw Wrong{"\"args\" has a word that is not a string"};
    r.args.push_back(bytes_of(v.get_ref<const std::string&>()));
  }
  return r;
}

ModuleRecord module(const Fields& f) {
  return {f.text("path"), f.address("begin"), f.address("end"), f.address("load"),
          f.text("build_id")};
}

ThreadRecord thread(const Fields& f) {
  return {f.number<std::uint32_t>("id"), f.number<int>("os"), f.text("name"),
          f.optional<std::uint32_t>("parent"), f.stack()};
}

AccessKind access_kind(const std::string& text) {
  for (const AccessKind k :
       {AccessKind::Read, AccessKind::Write, AccessKind::AtomicRead, AccessKind::AtomicWrite}) {
    if (text == steward::name(k)) return k;
  }
  throw Wrong{fmt::format("\"{}\" is no kind of access", printable(text))};
}

MemoryKind memory_kind(const std::string& text) {
  for (const MemoryKind k :
       {MemoryKind::Heap, MemoryKind::Global, MemoryKind::Stack, MemoryKind::Tls, MemoryKind::Fd}) {
    if (text == name(k)) return k;
  }
  return MemoryKind::Unknown;  // a later version may know more
}

RawAccess access(const Fields& f) {
  RawAccess a{access_kind(f.text("kind")),
              f.address("address"),
              f.number<std::uint64_t>("size"),
              f.number<std::uint32_t>("thread"),
              f.stack(),
              f.flag("stack_lost"),
              {}};
  for (const json& v : f.array("locks")) {
    a.locks.push_back(Fields::as_number<std::uint32_t>(v, "locks"));
  }
  return a;
}

RawMemory memory(const Fields& f) {
  return {memory_kind(f.text("kind")),        f.address("begin"),
          f.number<std::uint64_t>("size"),    f.optional<std::uint32_t>("thread"),
          f.optional<int>("fd").value_or(-1), f.stack()};
}

Discipline discipline(const Fields& f) {
  Discipline d;
  d.ordered = f.flag("ordered");
  for (const auto& [key, to] :
       {std::pair{"later", &d.later}, {"earlier", &d.earlier}, {"common", &d.common}}) {
    for (const json& v : f.array(key)) to->push_back(Fields::as_number<std::uint32_t>(v, key));
  }
  return d;
}

RaceRecord race(const Fields& f) {
  RaceRecord r{f.address("address"), f.number<std::uint64_t>("size"), {}, {}, {}, {}};
  for (const json& v : f.array("accesses")) r.accesses.push_back(access(Fields(v)));
  if (r.accesses.size() != 2) throw Wrong{"a race has two accesses"};
  if (const json* m = f.find("memory")) r.memory = memory(Fields(*m));
  for (const json& v : f.array("locks")) {
    const Fields lock(v);
    r.locks.push_back({lock.number<std::uint32_t>("id"), lock.address("address"), lock.text("kind"),
                       lock.stack()});
  }
  if (const json* l = f.find("lockset")) r.discipline = discipline(Fields(*l));
  return r;
}

Sampling sampling(const Fields& f) {
  Sampling s;
  s.rate = static_cast<double>(f.number<std::uint64_t>("rate_ppm")) * 1e-6;
  s.periods = f.number<std::uint64_t>("periods");
  s.sampled_periods = f.number<std::uint64_t>("sampled_periods");
  s.work = f.number<std::uint64_t>("work");
  s.sampled_work = f.number<std::uint64_t>("sampled_work");
  s.activations = f.number<std::uint64_t>("activations");
  if (const json* spent = f.find("spent_us")) {
    if (!spent->is_object()) throw Wrong{"\"spent_us\" is not an object"};
    for (const auto& [name, us] : spent->items()) {
      s.spent_us[name] = Fields::as_number<std::uint64_t>(us, "spent_us");
    }
  }
  for (const json& v : f.array("rules")) {
    const Fields rule(v);
    s.rules[rule.text("name")] = {rule.number<std::uint64_t>("sampling"),
                                  rule.number<std::uint64_t>("not_sampling")};
  }
  return s;
}

EndRecord end(const Fields& f) {
  EndRecord r{f.number<std::uint64_t>("races"), {}, {}};
  if (const json* s = f.find("sampling")) r.sampling = sampling(Fields(*s));
  if (const json* stats = f.find("stats")) {
    if (!stats->is_object()) throw Wrong{"\"stats\" is not an object"};
    for (const auto& [key, v] : stats->items()) {
      r.stats[key] = Fields::as_number<std::int64_t>(v, "stats");
    }
  }
  return r;
}

ParsedLine interpret(const json& value) {
  const Fields f(value);
  const std::string type = f.text("type");
  if (type == "start") return {start(f), {}};
  if (type == "suppressions") return {SuppressionsRecord{f.text("text")}, {}};
  if (type == "module") return {module(f), {}};
  if (type == "thread") return {thread(f), {}};
  if (type == "race") return {race(f), {}};
  if (type == "message") {
    return {MessageRecord{f.text("level"), f.text("kind"), f.text("text"), f.stack()}, {}};
  }
  if (type == "end") return {end(f), {}};
  if (type.empty()) throw Wrong{"a record has a \"type\""};
  return {};
}

}  // namespace

void Sampling::operator+=(const Sampling& o) {
  rate = o.rate;
  periods += o.periods;
  sampled_periods += o.sampled_periods;
  work += o.work;
  sampled_work += o.sampled_work;
  activations += o.activations;
  for (const auto& [name, us] : o.spent_us) spent_us[name] += us;
  for (const auto& [name, times] : o.rules) {
    rules[name].sampling += times.sampling;
    rules[name].not_sampling += times.not_sampling;
  }
}

ParsedLine parse_record(std::string_view line) {
  json value = json::parse(line, nullptr, /*allow_exceptions=*/false);
  // A path need not be UTF-8. A race with an odd letter in a name is better than none.
  if (value.is_discarded()) {
    value = json::parse(valid_utf8(line), nullptr, /*allow_exceptions=*/false);
  }
  if (value.is_discarded()) return {std::nullopt, "not JSON"};
  try {
    return interpret(value);
  } catch (const Wrong& wrong) {
    return {std::nullopt, wrong.text};
  }
}

std::optional<std::string_view> LineSplitter::next() {
  const std::size_t end = pending_.find('\n', taken_);
  if (end == std::string::npos) {
    pending_.erase(0, taken_);
    taken_ = 0;
    return std::nullopt;
  }
  const std::string_view line = std::string_view(pending_).substr(taken_, end - taken_);
  taken_ = end + 1;
  return line;
}

}  // namespace steward::report
