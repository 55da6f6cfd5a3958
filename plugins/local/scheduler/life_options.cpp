#include "plugins/local/scheduler/life_options.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "slipway/error.hpp"

namespace slipway::local {

namespace {

constexpr double kLongestSeconds = 365.0 * 24 * 3600;
constexpr double kLargestFactor = 1000;

[[noreturn]] void invalid(const std::string& option, const std::string& why,
                          const std::string& hint) {
  throw Error(Code::kInvalid, "run option " + option + ": " + why, hint);
}

std::string upper(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

/// 0 when there is no signal of that name, with or without SIG in front.
int signal_number(std::string_view text) {
  const std::string name = upper(text);
  const std::string bare = name.rfind("SIG", 0) == 0 ? name.substr(3) : name;
  for (int signal = 1; signal < SIGRTMIN; ++signal) {
    const char* known = ::sigabbrev_np(signal);
    if (known != nullptr && bare == known) return signal;
  }
  return 0;
}

bool read_exit_code(const std::string& text, std::int32_t& code) {
  const char* end = text.data() + text.size();
  const auto [at, problem] = std::from_chars(text.data(), end, code);
  return problem == std::errc() && at == end && code >= 1 && code <= 255;
}

RetryFilter read_filter(const StrList& wanted) {
  RetryFilter filter;
  filter.any = wanted.empty();
  for (const std::string& one : wanted) {
    std::int32_t code = 0;
    if (read_exit_code(one, code)) {
      filter.exit_codes.push_back(code);
    } else if (const int signal = signal_number(one)) {
      filter.signals.push_back(signal);
    } else if (one == "oom") {
      filter.oom = true;
    } else if (one == "lost") {
      filter.lost = true;
    } else if (one == "timeout") {
      filter.timeout = true;
    } else if (one == "not_ready") {
      filter.not_ready = true;
    } else {
      invalid("retry_on", "'" + one + "' is no kind of failure",
              "it is a list of exit codes (1 to 255), signals (SIGKILL), oom, lost, timeout, "
              "not_ready");
    }
  }
  return filter;
}

double read_number(const std::string& key, const std::string& text, double least, double most) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  // Written so that NaN fails.
  if (text.empty() || *end != '\0' || !(value >= least && value <= most)) {
    char range[80];
    std::snprintf(range, sizeof range, "it is a number between %g and %g", least, most);
    invalid("backoff", key + " is '" + text + "'", range);
  }
  return value;
}

std::int64_t milliseconds(double seconds) { return std::llround(seconds * 1000); }

Backoff read_backoff(const StrDict& given) {
  Backoff backoff;
  for (const auto& [key, text] : given) {
    if (key == "initial") {
      backoff.initial_ms = milliseconds(read_number(key, text, 0, kLongestSeconds));
    } else if (key == "factor") {
      backoff.factor = read_number(key, text, 1, kLargestFactor);
    } else if (key == "max") {
      backoff.max_ms = milliseconds(read_number(key, text, 0, kLongestSeconds));
    } else if (key == "jitter") {
      backoff.jitter = read_number(key, text, 0, 1);
    } else {
      invalid("backoff", "'" + key + "' is not part of it",
              "it has initial and max (seconds), factor, jitter (0 to 1)");
    }
  }
  return backoff;
}

std::int64_t read_limit(const Cfg& cfg, const char* key) {
  const double seconds = cfg.real(key, 0);
  if (!(seconds >= 0 && seconds <= kLongestSeconds))
    invalid(key, "out of range", "between 0 (no limit) and 31536000 seconds (a year)");
  // A limit too short to be one is not the same as none.
  const std::int64_t limit = milliseconds(seconds);
  return limit == 0 && seconds > 0 ? 1 : limit;
}

}  // namespace

RunOpts life_options() {
  return {
      {"retry_on", ValueType::kList,
       "which failures are retried, as far as max_retries of the role allows: exit codes, signals "
       "(SIGKILL), oom, lost, timeout, not_ready; without it all are",
       false, std::monostate{}},
      {"backoff", ValueType::kDict,
       "pause before a retry: initial, factor, max (seconds) and jitter (0 to 1) of "
       "initial * factor^n; what is left out is initial:0.2, factor:2, max:60, jitter:0.1",
       false, std::monostate{}},
      {"fail_fast", ValueType::kBool,
       "stop the whole app as soon as one replica has failed for good, instead of letting the "
       "others run on",
       false, false},
      {"timeout_s", ValueType::kFloat,
       "seconds that one attempt of a replica may take; then it is stopped and has failed", false,
       std::monostate{}},
      {"app_timeout_s", ValueType::kFloat,
       "seconds that the app may take, retries included; then it is stopped and has failed", false,
       std::monostate{}},
      {"max_parallel", ValueType::kInt,
       "how many replicas run at a time; the others wait their turn as PENDING; 0 is all", false,
       std::int64_t{0}},
  };
}

LifeRules read_life_rules(const Cfg& cfg) {
  LifeRules rules;
  rules.retry_on = read_filter(cfg.list("retry_on"));
  rules.backoff = read_backoff(cfg.dict("backoff"));
  rules.fail_fast = cfg.boolean("fail_fast");
  rules.timeout_ms = read_limit(cfg, "timeout_s");
  rules.app_timeout_ms = read_limit(cfg, "app_timeout_s");
  const std::int64_t parallel = cfg.integer("max_parallel");
  if (parallel < 0 || parallel > INT32_MAX)
    invalid("max_parallel", "out of range", "0 is all replicas at a time");
  rules.max_parallel = static_cast<std::int32_t>(parallel);
  return rules;
}

}  // namespace slipway::local
