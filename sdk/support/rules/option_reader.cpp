#include "sdk/support/rules/option_reader.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "sdk/support/joined.hpp"
#include "sdk/support/plain_number.hpp"
#include "sdk/support/python_numbers.hpp"
#include "sdk/support/rules/life_options.hpp"
#include "sdk/support/signal_name.hpp"
#include "slipway/error.hpp"

namespace slipway::rules {
namespace {

[[noreturn]] void refuse(const Option& option, const std::string& why, const std::string& hint) {
  throw Error(Code::kInvalid, std::string("run option ") + option.name + ": " + why, hint);
}

template <typename T>
void require(const Option& option, T value, T least, T most, const std::string& unit = "") {
  // This form also refuses NaN.
  if (value >= least && value <= most) return;
  char range[120];
  std::snprintf(range, sizeof range, "it is a number%s between %.15g and %.15g", unit.c_str(),
                static_cast<double>(least), static_cast<double>(most));
  refuse(option, "out of range", range);
}

void read_failure(const Option& option, const std::string& word, RetryFilter& filter) {
  // A number is always an exit code, although signal_number() reads numbers as well.
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
    refuse(option, "'" + word + "' is not a kind of failure",
           "list exit codes (1 to 255), signals (SIGKILL), oom, lost, timeout, not_ready");
  }
}

/// Reads the given parts of `backoff`, each of which is a number.
class PartsReader {
 public:
  PartsReader(const Option& option, const StrDict& given) : option_(option), given_(given) {}

  void operator()(const Option& part, std::int64_t& ms, Seconds range) {
    double seconds = 0;
    if (read(part, seconds, range.least, range.most, " of seconds")) ms = milliseconds(seconds);
  }
  void operator()(const Option& part, double& value, Real range) {
    read(part, value, range.least, range.most, "");
  }
  /// Throws if a key of the dict is not a part.
  void require_all_known() const {
    for (const auto& [key, text] : given_) {
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      refuse(option_, "it has no part '" + key + "'", "its parts are " + joined(known_));
    }
  }

 private:
  bool read(const Option& part, double& value, double least, double most, const char* unit) {
    known_.emplace_back(part.name);
    const std::string* text = find(given_, part.name);
    if (text == nullptr) return false;
    const std::optional<double> number = real_from(*text);
    if (number && *number >= least && *number <= most) {
      value = *number;
      return true;
    }
    char range[80];
    std::snprintf(range, sizeof range, "it is a number%s between %.9g and %.9g", unit, least, most);
    refuse(option_, std::string(part.name) + " is '" + *text + "'", range);
  }

  const Option& option_;
  const StrDict& given_;
  StrList known_;
};

}  // namespace

void OptionReader::invalid(const Option& option, const std::string& why, const std::string& hint) {
  refuse(option, why, hint);
}

std::int64_t OptionReader::count(const Option& option, std::int64_t value, Count range) const {
  const std::int64_t given = cfg_.integer(option.name, value);
  require(option, given, range.least, range.most);
  return given;
}

void OptionReader::operator()(const Option& o, std::int64_t& bytes, Mebibytes range) {
  const std::int64_t given = cfg_.integer(o.name, bytes >> 20);
  require(o, given, std::int64_t{0}, range.most, " of MiB");
  bytes = given << 20;
}

void OptionReader::operator()(const Option& o, std::int64_t& ms, Seconds range) {
  const double given = cfg_.real(o.name, static_cast<double>(ms) / 1000);
  require(o, given, range.least, range.most, " of seconds");
  ms = milliseconds(given);
}

void OptionReader::operator()(const Option& o, RetryFilter& filter, FailureList) {
  const StrList wanted = cfg_.list(o.name);
  filter.any = wanted.empty();
  for (const std::string& word : wanted) read_failure(o, word, filter);
}

void OptionReader::operator()(const Option& o, Backoff& backoff, BackoffParts) {
  const StrDict given = cfg_.dict(o.name);
  PartsReader parts(o, given);
  visit_parts(parts, backoff);
  parts.require_all_known();
}

void OptionReader::operator()(const Option& o, std::string& value, Text) {
  value = cfg_.text(o.name, std::move(value));
  if (value.find('\0') != std::string::npos)
    refuse(o, "it contains a NUL character", "no path or command can contain one");
}

void OptionReader::operator()(const Option& o, std::optional<std::int64_t>& value,
                              OptionalCount range) {
  if (!is_given(o)) return;
  value = cfg_.integer(o.name);
  require(o, *value, range.least, range.most);
}

void OptionReader::operator()(const Option& o, double& value, Real range) {
  value = cfg_.real(o.name, value);
  require(o, value, range.least, range.most);
}

bool OptionReader::is_given(const Option& option) const {
  const Value* given = cfg_.find(option.name);
  return given != nullptr && type_of(*given) != ValueType::kNone;
}

}  // namespace slipway::rules
