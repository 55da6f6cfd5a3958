// Run options: one that a scheduler declares, and the values that it is given. Sets of them:
// run_opts.hpp.
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

enum class ValueType : std::int32_t {
  kStr = SLIPWAY_TYPE_STR,
  kInt = SLIPWAY_TYPE_INT,
  kFloat = SLIPWAY_TYPE_FLOAT,
  kBool = SLIPWAY_TYPE_BOOL,
  kList = SLIPWAY_TYPE_LIST,
  kDict = SLIPWAY_TYPE_DICT,
  kNone = SLIPWAY_TYPE_NONE,
};

/// One value; the alternatives are in the order of ValueType but for monostate, which is kNone.
using Value =
    std::variant<std::monostate, std::string, std::int64_t, double, bool, StrList, StrDict>;

inline ValueType type_of(const Value& value) {
  return value.index() == 0 ? ValueType::kNone
                            : static_cast<ValueType>(static_cast<std::int32_t>(value.index()) - 1);
}

/// TorchX's name of the type, as shown by `slipway runopts`.
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

/// One declared option. `default_value` kNone means that there is none.
struct RunOpt {
  std::string name;
  ValueType type = ValueType::kStr;
  std::string help;
  bool required = false;
  Value default_value;
};

/// Values by name, resolved against the declared options: every declared option with a default has
/// a value of its type. The getters return `fallback` where the option has no value; a value of
/// another type counts as none.
class Cfg {
 public:
  Cfg() = default;
  explicit Cfg(Dict<Value> values) : values_(std::move(values)) {}

  const Dict<Value>& values() const { return values_; }
  void set(std::string_view key, Value value) { slipway::set(values_, key, std::move(value)); }
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

}  // namespace slipway
