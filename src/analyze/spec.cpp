#include "analyze/spec.h"

#include <charconv>
#include <optional>

namespace steward::analyze {

const char* const kSpecHelp =
    "  fasttrack             every race's variable, O(1) for nearly all accesses\n"
    "  generic               full vector clocks: slow, reports at every racing access\n"
    "  pacer:RATE            samples; each race is found with probability RATE (3%, 0.03)\n"
    "  pacer:trace           samples where the trace's sbegin and send events say\n"
    "  literace              samples cold code; no guarantee\n"
    "  lockset               no lock common to all accesses to an escaped object's field:\n"
    "                        a check of discipline, not of this execution's order\n"
    "Settings follow with colons: period=EVENTS, scope=global|thread, seed=N (pacer);\n"
    "burst=N, seed=N (literace); barrier=read|write, block=BYTES, exclude=THREAD (lockset).\n"
    "Example: pacer:1%:period=500:scope=thread:seed=7";

namespace {

std::vector<std::string_view> split(std::string_view s, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t i = s.find(at);
    parts.push_back(s.substr(0, i));
    if (i == std::string_view::npos) return parts;
    s.remove_prefix(i + 1);
  }
}

template <class T>
std::optional<T> number(std::string_view s) {
  T value{};
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc() || end != s.data() + s.size()) return std::nullopt;
  return value;
}

std::optional<double> rate(std::string_view s) {
  const bool percent = s.ends_with('%');
  if (percent) s.remove_suffix(1);
  const auto value = number<double>(s);
  if (!value) return std::nullopt;
  const double r = percent ? *value / 100 : *value;
  if (!(r >= 0 && r <= 1)) return std::nullopt;
  return r;
}

// The error, or empty.
std::string apply(DetectorSpec& spec, std::string_view part) {
  const std::string quoted = "'" + std::string(part) + "' in detector '" + spec.text + "'";
  const std::size_t equals = part.find('=');
  const bool pacer = spec.kind == DetectorKind::Pacer;
  const bool literace = spec.kind == DetectorKind::LiteRace;
  const bool lockset = spec.kind == DetectorKind::Lockset;
  if (equals == std::string_view::npos) {
    if (!pacer) return "unexpected " + quoted;
    if (part == "trace") {
      spec.rate_from_trace = true;
      return {};
    }
    const auto r = rate(part);
    if (!r) return "expected a rate between 0% and 100%, found " + quoted;
    spec.rate = *r;
    return {};
  }
  const std::string_view key = part.substr(0, equals);
  const std::string_view value = part.substr(equals + 1);
  if (key == "scope" && pacer) {
    if (value != "global" && value != "thread") {
      return "expected scope=global or scope=thread, found " + quoted;
    }
    spec.per_thread = value == "thread";
    return {};
  }
  if (key == "barrier" && lockset) {
    if (value != "read" && value != "write") {
      return "expected barrier=read or barrier=write, found " + quoted;
    }
    spec.write_barrier = value == "write";
    return {};
  }
  if (key == "exclude" && lockset) {
    const auto t = number<std::uint32_t>(value.starts_with('T') ? value.substr(1) : value);
    if (!t || ThreadId{*t} == kAllThreads) return "expected a thread's number, found " + quoted;
    spec.excluded.push_back(ThreadId{*t});
    return {};
  }
  const auto n = number<std::uint64_t>(value);
  const bool positive = n && *n > 0;
  if (key == "period" && pacer) {
    if (!positive) return "expected a number of events from 1, found " + quoted;
    spec.period = *n;
  } else if (key == "burst" && literace) {
    if (!positive || *n > 1'000'000'000) return "expected a number from 1 to 10^9, found " + quoted;
    spec.burst = static_cast<std::uint32_t>(*n);
  } else if (key == "block" && lockset) {
    if (!n || *n > 1'000'000'000) return "expected a number up to 10^9, found " + quoted;
    spec.block = static_cast<std::uint32_t>(*n);
  } else if (key == "seed" && (pacer || literace)) {
    if (!n) return "expected a whole number, found " + quoted;
    spec.seed = *n;
  } else {
    return "unknown setting " + quoted;
  }
  return {};
}

std::string parse(std::string_view text, DetectorSpec& spec) {
  spec.text = text;
  const auto parts = split(text, ':');
  if (parts[0] == "fasttrack") {
    spec.kind = DetectorKind::FastTrack;
  } else if (parts[0] == "generic") {
    spec.kind = DetectorKind::Generic;
  } else if (parts[0] == "pacer") {
    spec.kind = DetectorKind::Pacer;
  } else if (parts[0] == "literace") {
    spec.kind = DetectorKind::LiteRace;
  } else if (parts[0] == "lockset") {
    spec.kind = DetectorKind::Lockset;
  } else {
    return "unknown detector '" + std::string(parts[0]) +
           "' (known: fasttrack, generic, pacer, literace, lockset)";
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (std::string error = apply(spec, parts[i]); !error.empty()) return error;
  }
  return {};
}

}  // namespace

SpecResult parse_specs(std::string_view list) {
  SpecResult result;
  for (const std::string_view text : split(list, ',')) {
    DetectorSpec spec;
    result.error = parse(text, spec);
    if (!result.error.empty()) return result;
    result.specs.push_back(std::move(spec));
  }
  return result;
}

}  // namespace steward::analyze
