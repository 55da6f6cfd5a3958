// Run options: the declaration of one option, and the values for a scheduler. run_opts.hpp has sets
// of declarations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "slipway/abi/options.h"
#include "slipway/dict.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// The type of a value; see abi/options.h.
enum class ValueType : std::int32_t {
  kStr = SLIPWAY_TYPE_STR,
  kInt = SLIPWAY_TYPE_INT,
  kFloat = SLIPWAY_TYPE_FLOAT,
  kBool = SLIPWAY_TYPE_BOOL,
  kList = SLIPWAY_TYPE_LIST,
  kDict = SLIPWAY_TYPE_DICT,
  kNone = SLIPWAY_TYPE_NONE,
};

/// One value. monostate is kNone; the other alternatives are in the order of ValueType.
using Value =
    std::variant<std::monostate, std::string, std::int64_t, double, bool, StrList, StrDict>;

/// Returns the type of `value`.
inline ValueType type_of(const Value& value) {
  return value.index() == 0 ? ValueType::kNone
                            : static_cast<ValueType>(static_cast<std::int32_t>(value.index()) - 1);
}

/// Returns TorchX's name of the type, which `slipway runopts` prints.
inline const char* to_string(ValueType type) {
  switch (type) {
    case ValueType::kStr: return "str";
    case ValueType::kInt: return "int";
    case ValueType::kFloat: return "float";
    case ValueType::kBool: return "bool";
    case ValueType::kList: return "list";
    case ValueType::kDict: return "dict";
    case ValueType::kNone: break;
  }
  return "none";
}

/// The host's use of an option besides passing it on; see abi/options.h.
enum class OptMeaning : std::int32_t {
  kNone = SLIPWAY_MEANING_NONE,
  kWorkspaceDir = SLIPWAY_MEANING_WORKSPACE_DIR,
};

/// One declared option.
struct RunOpt {
  std::string name;  ///< unique in the scheduler; users write `-c NAME=VALUE`
  ValueType type = ValueType::kStr;
  std::string help;       ///< one line for users
  bool required = false;  ///< the user must set it, and it has no default
  Value default_value;    ///< of `type`, or kNone if there is none
  OptMeaning meaning = OptMeaning::kNone;
};

/// The values of run options or parameters by name. Every declared option with a default has a
/// value of its type. The getters return `fallback`, or an empty list or dictionary, if the option
/// has no value or one of another type.
class Cfg {
 public:
  Cfg() = default;
  explicit Cfg(Dict<Value> values) : values_(std::move(values)) {}

  /// Returns all values in the order of their first set().
  const Dict<Value>& values() const { return values_; }
  /// Sets the value of `key`.
  void set(std::string_view key, Value value) { slipway::set(values_, key, std::move(value)); }
  /// Returns the value of `key`, or nullptr. Valid until the next set().
  const Value* find(std::string_view key) const { return slipway::find(values_, key); }

  std::string text(std::string_view key, std::string fallback = {}) const {
    return get<std::string>(key, std::move(fallback));
  }
  std::int64_t integer(std::string_view key, std::int64_t fallback = 0) const {
    return get(key, fallback);
  }
  double real(std::string_view key, double fallback = 0) const { return get(key, fallback); }
  bool boolean(std::string_view key, bool fallback = false) const { return get(key, fallback); }
  StrList list(std::string_view key) const { return get<StrList>(key, {}); }
  StrDict dict(std::string_view key) const { return get<StrDict>(key, {}); }

 private:
  template <class T>
  T get(std::string_view key, T fallback) const {
    const Value* value = find(key);
    const T* typed = value != nullptr ? std::get_if<T>(value) : nullptr;
    return typed != nullptr ? *typed : std::move(fallback);
  }

  Dict<Value> values_;
};

}  // namespace sdk_1_0
}  // namespace slipway
