// Visitors of tables of run options (option_kinds.hpp): their declaration, and their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "sdk/support/joined.hpp"
#include "sdk/support/rules/option_kinds.hpp"
#include "sdk/support/rules/retry_rules.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::rules {

/// Declares options. The default of a Flag, Count, Mebibytes, Seconds, Real or Choice is the value
/// of its field, except 0 seconds; options of other kinds have no declared default.
struct Declaration {
  RunOpts out;

  void operator()(const Option& o, bool value, Flag) { add(o, ValueType::kBool, value); }
  void operator()(const Option& o, bool, ChosenFlag) { add(o, ValueType::kBool, {}); }
  void operator()(const Option& o, std::int64_t value, Count) { add(o, ValueType::kInt, value); }
  void operator()(const Option& o, std::int64_t bytes, Mebibytes) {
    add(o, ValueType::kInt, bytes >> 20);
  }
  void operator()(const Option& o, std::int64_t ms, Seconds) {
    // 0 means that there is no limit: the option then has no default, rather than 0 seconds.
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

 private:
  void add(const Option& option, ValueType type, Value value) {
    out.add({option.name, type, option.help, false, std::move(value)});
  }
};

/// Reads the options of a table from resolved run options. Throws Error kInvalid with the option
/// and the valid values.
class OptionReader {
 public:
  /// `cfg` must outlive the reader.
  explicit OptionReader(const Cfg& cfg) : cfg_(cfg) {}

  void operator()(const Option& o, bool& value, Flag) { value = cfg_.boolean(o.name, value); }
  void operator()(const Option& o, bool& value, ChosenFlag) { value = cfg_.boolean(o.name, value); }
  template <typename T>
  void operator()(const Option& o, T& value, Count range) {
    value = static_cast<T>(count(o, value, range));
  }
  void operator()(const Option& o, std::int64_t& bytes, Mebibytes range);
  void operator()(const Option& o, std::int64_t& ms, Seconds range);
  void operator()(const Option& o, RetryFilter& filter, FailureList kind);
  void operator()(const Option& o, Backoff& backoff, BackoffParts kind);
  void operator()(const Option& o, std::string& value, Text kind);
  void operator()(const Option& o, StrList& value, TextList) { value = cfg_.list(o.name); }
  void operator()(const Option& o, std::optional<std::int64_t>& value, OptionalCount range);
  void operator()(const Option& o, double& value, Real range);
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

  /// Returns whether the option has a value, from the user or by default.
  bool is_given(const Option& option) const;

 private:
  [[noreturn]] static void invalid(const Option& option, const std::string& why,
                                   const std::string& hint);
  std::int64_t count(const Option& option, std::int64_t value, Count range) const;

  const Cfg& cfg_;
};

}  // namespace slipway::rules
