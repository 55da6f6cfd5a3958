#include "plugins/local/scheduler/local_options.hpp"

#include <array>
#include <boost/json.hpp>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "plugins/local/engine/plan_options.hpp"
#include "sdk/support/joined.hpp"
#include "sdk/support/plain_number.hpp"
#include "sdk/support/python_numbers.hpp"
#include "sdk/support/role_keys.hpp"
#include "sdk/support/service_role.hpp"
#include "sdk/support/signal_name.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

// The kinds of options that the launch plan does not carry; plan_options.hpp has the others.

struct TextList {};
struct OptionalCount {
  std::int64_t least;
  std::int64_t most;
};
/// One of several words. The position of the word is the value of the field.
template <std::size_t N>
struct Choice {
  std::array<const char*, N> words;
};

constexpr std::int64_t kMostApps = 1'000'000'000'000;

/// Visits every option. `options` is a LocalOptions, constant or not.
template <typename Visit, typename Options>
void visit_options(Visit& visit, Options& options) {
  visit(Option{"log_dir",
               "directory for the replicas' logs, created if missing: "
               "<log_dir>/<session>/<app_id>/<role>/<replica>, with the user's name before the "
               "session if log_dir is sticky and other users may write to it, as /tmp is; "
               "without this option logs are in the app's record"},
        options.log_dir, Text{});
  visit(
      Option{"prepend_cwd",
             "put the replica's working directory before its PATH instead of after the role's own "
             "directories"},
      options.prepend_cwd, Flag{});
  visit(Option{"auto_set_cuda_visible_devices",
               "give each replica its own GPUs of this machine through CUDA_VISIBLE_DEVICES, by "
               "the role's resource"},
        options.auto_set_cuda_visible_devices, Flag{});
  visit(Option{"extra_paths",
               "directories added to the PATH of every replica, before the inherited ones"},
        options.extra_paths, TextList{});
  visit_life_options(visit, options.rules);
  visit(Option{"gpus",
               "how apps share GPUs: none, without rules; lease, each app has the GPUs that its "
               "roles' resources ask for to itself, and waits until they are free"},
        options.lease_gpus, Choice<2>{{"none", "lease"}});
  visit(Option{"enforce",
               "how the memory and cpu of a role's resource limit its replicas: none, not at all; "
               "rlimit, each process; cgroup, each replica"},
        options.enforce, Choice<3>{{"none", "rlimit", "cgroup"}});
  visit_log_options(visit, options.logs);
  visit(Option{"keep_days",
               "how many days a finished app is kept; older ones are deleted when the next app "
               "starts"},
        options.keep_days, Real{0, 36'500});
  visit(Option{"keep_gb",
               "how many GB the finished apps and their logs may take; the oldest are deleted when "
               "the next app starts, except those that ended within a day"},
        options.keep_gb, Real{0, 1e6});
  visit(Option{"keep_apps", "how many finished apps are kept at most, whenever they ended"},
        options.keep_apps, OptionalCount{0, kMostApps});
  visit(Option{"cache_size", "TorchX's name for keep_apps, which wins if both are given"},
        options.cache_size, OptionalCount{0, kMostApps});
}

constexpr Option kImageProvider{
    "image_provider",
    "name of the image provider for every role; without it each image determines its own: a "
    "directory, an archive, NAME://..."};

/// Declares options; the default of each is the value of its field.
struct Declaration {
  RunOpts out;

  void operator()(const Option& o, bool value, Flag) { add(o, ValueType::kBool, value); }
  void operator()(const Option& o, bool, ChosenFlag) { add(o, ValueType::kBool, {}); }
  void operator()(const Option& o, std::int64_t value, Count) { add(o, ValueType::kInt, value); }
  void operator()(const Option& o, std::int64_t bytes, Mebibytes) {
    add(o, ValueType::kInt, bytes >> 20);
  }
  void operator()(const Option& o, std::int64_t ms, Seconds) {
    // 0 stands for "no time", which has no default, not one of 0 seconds.
    add(o, ValueType::kFloat, ms == 0 ? Value() : Value(static_cast<double>(ms) / 1000));
  }
  void operator()(const Option& o, const RetryFilter&, FailureList) {
    add(o, ValueType::kList, {});
  }
  void operator()(const Option& o, const Backoff&, BackoffParts) { add(o, ValueType::kDict, {}); }
  void operator()(const Option& o, const std::string&, Text) { add(o, ValueType::kStr, {}); }
  void operator()(const Option& o, const StrList&, TextList) { add(o, ValueType::kList, {}); }
  void operator()(const Option& o, const auto&, OptionalCount) { add(o, ValueType::kInt, {}); }
  void operator()(const Option& o, double value, Real) { add(o, ValueType::kFloat, value); }
  template <std::size_t N>
  void operator()(const Option& o, auto value, Choice<N> choice) {
    add(o, ValueType::kStr, std::string(choice.words[static_cast<std::size_t>(value)]));
  }

  void add(const Option& option, ValueType type, Value value) {
    out.add({option.name, type, option.help, false, std::move(value)});
  }
};

[[noreturn]] void invalid(const Option& option, const std::string& why, const std::string& hint) {
  throw Error(Code::kInvalid, std::string("run option ") + option.name + ": " + why, hint);
}

template <typename T>
void require(const Option& option, T value, T least, T most, const std::string& unit = "") {
  // This form also refuses NaN.
  if (value >= least && value <= most) return;
  char range[120];
  std::snprintf(range, sizeof range, "it is a number%s between %.15g and %.15g", unit.c_str(),
                static_cast<double>(least), static_cast<double>(most));
  invalid(option, "out of range", range);
}

/// Rounds to milliseconds, but a positive time not to 0, which stands for no time.
std::int64_t milliseconds(double seconds) {
  const std::int64_t ms = std::llround(seconds * 1000);
  return ms == 0 && seconds > 0 ? 1 : ms;
}

void read_failure(const Option& option, const std::string& word, RetryFilter& filter) {
  const auto number = plain_number<std::int32_t>(word);
  if (number && *number >= 1 && *number <= 255) {
    filter.exit_codes.push_back(*number);
  } else if (const auto signal = number ? std::nullopt : signal_number(word)) {
    filter.signals.push_back(*signal);
  } else if (word == "oom") {
    filter.oom = true;
  } else if (word == "lost") {
    filter.lost = true;
  } else if (word == "timeout") {
    filter.timeout = true;
  } else if (word == "not_ready") {
    filter.not_ready = true;
  } else {
    invalid(option, "'" + word + "' is not a kind of failure",
            "list exit codes (1 to 255), signals (SIGKILL), oom, lost, timeout, not_ready");
  }
}

/// Reads the given parts of `backoff`, each of which is a number.
class PartsReader {
 public:
  PartsReader(const Option& option, const StrDict& given) : option_(option), given_(given) {}

  void operator()(const Option& part, std::int64_t& ms, Seconds range) {
    double seconds = 0;
    if (read(part, seconds, range.least, range.most, " of seconds"))
      ms = std::llround(seconds * 1000);
  }
  void operator()(const Option& part, double& value, Real range) {
    read(part, value, range.least, range.most, "");
  }
  /// Throws if a key of the dict is not a part.
  void require_all_known() const {
    for (const auto& [key, text] : given_) {
      if (known_.find(' ' + key + ' ') != std::string::npos) continue;
      invalid(option_, "'" + key + "' is not part of it", "it has" + known_ + "(see runopts)");
    }
  }

 private:
  bool read(const Option& part, double& value, double least, double most, const char* unit) {
    known_ += std::string(part.name) + ' ';
    const std::string* text = find(given_, part.name);
    if (text == nullptr) return false;
    const std::optional<double> number = real_from(*text);
    if (number && *number >= least && *number <= most) {
      value = *number;
      return true;
    }
    char range[80];
    std::snprintf(range, sizeof range, "it is a number%s between %.9g and %.9g", unit, least, most);
    invalid(option_, std::string(part.name) + " is '" + *text + "'", range);
  }

  const Option& option_;
  const StrDict& given_;
  std::string known_ = " ";
};

/// Reads the options from resolved ones. An option without a value keeps its default.
class Parser {
 public:
  explicit Parser(const Cfg& cfg) : cfg_(cfg) {}

  void operator()(const Option& o, bool& value, Flag) { value = cfg_.boolean(o.name, value); }
  void operator()(const Option& o, bool& value, ChosenFlag) { value = cfg_.boolean(o.name, value); }
  template <typename T>
  void operator()(const Option& o, T& value, Count range) {
    const std::int64_t given = cfg_.integer(o.name, value);
    require(o, given, range.least, range.most);
    value = static_cast<T>(given);
  }
  void operator()(const Option& o, std::int64_t& bytes, Mebibytes range) {
    const std::int64_t given = cfg_.integer(o.name, bytes >> 20);
    require(o, given, std::int64_t{0}, range.most, " of MiB");
    bytes = given << 20;
  }
  void operator()(const Option& o, std::int64_t& ms, Seconds range) {
    const double given = cfg_.real(o.name, static_cast<double>(ms) / 1000);
    require(o, given, range.least, range.most, " of seconds");
    ms = milliseconds(given);
  }
  void operator()(const Option& o, RetryFilter& filter, FailureList) {
    const StrList wanted = cfg_.list(o.name);
    filter.any = wanted.empty();
    for (const std::string& word : wanted) read_failure(o, word, filter);
  }
  void operator()(const Option& o, Backoff& backoff, BackoffParts) {
    const StrDict given = cfg_.dict(o.name);
    PartsReader parts(o, given);
    visit_parts(parts, backoff);
    parts.require_all_known();
  }
  void operator()(const Option& o, std::string& value, Text) {
    value = cfg_.text(o.name);
    if (value.find('\0') != std::string::npos)
      invalid(o, "it contains a NUL character", "no path or command can contain one");
  }
  void operator()(const Option& o, StrList& value, TextList) { value = cfg_.list(o.name); }
  void operator()(const Option& o, std::optional<std::int64_t>& value, OptionalCount range) {
    if (!is_given(o)) return;
    value = cfg_.integer(o.name);
    require(o, *value, range.least, range.most);
  }
  void operator()(const Option& o, double& value, Real range) {
    value = cfg_.real(o.name);
    require(o, value, range.least, range.most);
  }
  template <typename T, std::size_t N>
  void operator()(const Option& o, T& value, Choice<N> choice) {
    const std::string given = cfg_.text(o.name);
    if (given.empty()) return;
    for (std::size_t i = 0; i < N; ++i) {
      if (given == choice.words[i]) {
        value = static_cast<T>(i);
        return;
      }
    }
    invalid(o, "'" + given + "' is not known", "it is one of " + joined(choice.words));
  }

  bool is_given(const Option& option) const {
    const Value* given = cfg_.find(option.name);
    return given != nullptr && type_of(*given) != ValueType::kNone;
  }

 private:
  const Cfg& cfg_;
};

[[noreturn]] void contradiction(const std::string& what, const std::string& hint) {
  throw Error(Code::kInvalid, "the run options " + what + " contradict each other", hint);
}

std::string text_of(const boost::json::value& value) {
  return value.is_string() ? std::string(value.get_string()) : boost::json::serialize(value);
}

StrList words_of(const boost::json::array& items) {
  StrList out;
  for (const boost::json::value& item : items) out.push_back(text_of(item));
  return out;
}

StrDict parts_of(const boost::json::object& parts) {
  StrDict out;
  for (const auto& [name, value] : parts) set(out, std::string(name), text_of(value));
  return out;
}

/// Throws for options that contradict each other.
void check_together(const LocalOptions& options) {
  if (options.lease_gpus && options.auto_set_cuda_visible_devices) {
    contradiction("gpus=lease and auto_set_cuda_visible_devices=true",
                  "a lease also sets the variables: leave auto_set_cuda_visible_devices out");
  }
  if (options.logs.combined) return;
  if (options.logs.pipes) {
    contradiction("log_pipes=true and log_combined=false",
                  "the supervisor empties the pipes where it writes combined.log: leave one out");
  }
  if (options.logs.piece_bytes > 0) {
    contradiction("log_max_mb and log_combined=false",
                  "the supervisor keeps the limit where it writes combined.log: leave one out");
  }
}

}  // namespace

RunOpts declared_options(std::string_view entry) {
  Declaration declare;
  const LocalOptions defaults;
  visit_options(declare, defaults);
  if (entry == "local") declare(kImageProvider, defaults.image_provider, Text{});
  return std::move(declare.out);
}

RoleRules rules_of(const Role& role) {
  RoleRules out;
  out.max_retries = role.max_retries;
  out.scope = role.retry_policy == RetryPolicy::kReplica ? RetryScope::kReplica
              : role.retry_policy == RetryPolicy::kRole  ? RetryScope::kRole
                                                         : RetryScope::kApplication;
  out.min_replicas = role.min_replicas.value_or(0);
  out.service = is_service(role);
  Cfg given;
  for (const auto& [key, value] : metadata_of(role)) {
    const std::string name(role_key_in(std::string_view(key)));
    if (name == "timeout_s" || name == "grace_s") {
      given.set(name, value.to_number<double>());
    } else if (name == "retry_on") {
      given.set(name, words_of(value.as_array()));
    } else if (name == "backoff") {
      given.set(name, parts_of(value.as_object()));
    }
  }
  LifeRules rules;
  Parser parse(given);
  try {
    visit_life_options(parse, rules);
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), error.hint(), role.name);
  }
  const auto has = [&](const char* name) { return given.find(name) != nullptr; };
  if (has("timeout_s")) out.timeout_ms = rules.timeout_ms;
  if (has("grace_s")) out.grace_ms = rules.grace_ms;
  if (has("retry_on")) out.retry_on = rules.retry_on;
  if (has("backoff")) out.backoff = rules.backoff;
  return out;
}

LocalOptions read_options(const Cfg& cfg) {
  LocalOptions options;
  Parser parse(cfg);
  visit_options(parse, options);
  parse(kImageProvider, options.image_provider, Text{});
  check_together(options);
  options.logs.times = options.logs.times && options.logs.combined;
  options.chooses_pipes = options.logs.combined && !parse.is_given({"log_pipes", ""});
  return options;
}

Retention LocalOptions::retention() const {
  constexpr double kDayMs = 24.0 * 3600 * 1000;
  Retention out;
  const std::optional<std::int64_t> number = keep_apps ? keep_apps : cache_size;
  if (number) out.apps = static_cast<std::size_t>(*number);
  out.age_ms = static_cast<std::int64_t>(std::llround(keep_days * kDayMs));
  out.bytes = static_cast<std::int64_t>(std::llround(keep_gb * 1e9));
  return out;
}

}  // namespace slipway::local
