// Typed values as text: those of run options and of the parameters of components.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "slipway/options.hpp"

namespace slipway {

/// Returns the value of `text` for a type of one value: int and float as Python reads them, a bool
/// that is true for "true" in any case, and the text itself for str. Returns nullopt for a text
/// that is not a number, and for other types. [any thread]
std::optional<Value> scalar_value(ValueType type, std::string_view text);

/// Returns the value of `text` for a run option, like TorchX: scalars as scalar_value() does. ','
/// or ';' separates the items of a list or dict. Empty items of a list are dropped; items of a dict
/// are `key:value`. Returns nullopt for a text that is not of the type. [any thread]
std::optional<Value> run_option_value(ValueType type, std::string_view text);

/// Returns the value as text for users: `true`, `3`, `1.0`, `text`, `a,b`, `k:v`; empty for kNone.
std::string to_text(const Value& value);

/// Returns the value as JSON. NaN and infinities become null, because JSON cannot hold them.
std::string json_text(const Value& value);

}  // namespace slipway
