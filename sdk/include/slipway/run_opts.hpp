// The set of run options that a scheduler declares, like TorchX's `runopts`.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/error.hpp"
#include "slipway/options.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// Declared options with unique names, in the order of declaration. Not thread-safe.
class RunOpts {
 public:
  RunOpts() = default;
  /// Adds each option with add().
  RunOpts(std::initializer_list<RunOpt> options) {
    for (const RunOpt& option : options) add(option);
  }

  /// Declares `option`, or replaces the option with the same name in its place. Converts a bool as
  /// the default of an int to 0 or 1. Throws Error kInvalid, and changes nothing, if a required
  /// option has a default or if the default has another type.
  RunOpts& add(RunOpt option) {
    check(option);
    if (const bool* flag = std::get_if<bool>(&option.default_value);
        flag != nullptr && option.type == ValueType::kInt) {
      option.default_value = std::int64_t{*flag ? 1 : 0};
    }
    for (RunOpt& declared : options_) {
      if (declared.name != option.name) continue;
      declared = std::move(option);
      return *this;
    }
    options_.push_back(std::move(option));
    return *this;
  }

  /// Returns the option with this name, or nullptr. Valid until the next change.
  const RunOpt* get(std::string_view name) const {
    for (const RunOpt& option : options_) {
      if (option.name == name) return &option;
    }
    return nullptr;
  }

  /// Adds each option of `others` with add().
  RunOpts& update(const RunOpts& others) {
    for (const RunOpt& option : others) add(option);
    return *this;
  }

  /// Returns whether `value` is valid for an option of `type`: it has that type, or is a bool for
  /// an int, as in Python. kNone is not valid for any type.
  static bool is_type(const Value& value, ValueType type) {
    const ValueType given = type_of(value);
    if (given == ValueType::kNone) return false;
    return given == type || (type == ValueType::kInt && given == ValueType::kBool);
  }

  std::size_t size() const { return options_.size(); }
  bool empty() const { return options_.empty(); }
  const RunOpt& operator[](std::size_t index) const { return options_[index]; }
  std::vector<RunOpt>::const_iterator begin() const { return options_.begin(); }
  std::vector<RunOpt>::const_iterator end() const { return options_.end(); }

 private:
  static void check(const RunOpt& option) {
    const ValueType given = type_of(option.default_value);
    if (given == ValueType::kNone) return;
    if (option.required) {
      throw Error(Code::kInvalid, "the run option '" + option.name +
                                      "' is required and must not have a default value as well");
    }
    if (!is_type(option.default_value, option.type)) {
      throw Error(Code::kInvalid, "the default value of the run option '" + option.name +
                                      "' is of type " + to_string(given) + " and must be of type " +
                                      to_string(option.type));
    }
  }

  std::vector<RunOpt> options_;
};

}  // namespace sdk_1_0
}  // namespace slipway
