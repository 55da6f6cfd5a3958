// Typed values as text: those of run options and of the parameters of components.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "slipway/options.hpp"

namespace slipway {

/// Returns the value of `text` for a type of one value: int and float as Python reads them, a bool
/// that is true for "true" in any case, and the text itself for str. Returns nullopt for a text
/// that is not a number, and for other types. Thread safe.
std::optional<Value> scalar_value(ValueType type, std::string_view text);

/// Returns the value of `text` for a run option, as TorchX reads them: scalars as scalar_value()
/// does; the items of a list or dict have ',' or ';' between them; empty items of a list vanish,
/// those of a dict are `key:value`. Returns nullopt for a text that is not of the type. Thread
/// safe.
std::optional<Value> run_option_value(ValueType type, std::string_view text);

/// Returns the value for a person: `true`, `3`, `1.0`, `text`, `a,b`, `k:v`; empty for kNone.
std::string to_text(const Value& value);

/// Returns the value as JSON. NaN and infinities become null, because JSON cannot hold them.
std::string json_text(const Value& value);

}  // namespace slipway
