// Decodes one argument of a component from text to its type. Semantics: TorchX's decoding of
// component arguments, with Python's syntax of numbers.
#pragma once

#include <string_view>

#include "slipway/options.hpp"

namespace slipway::components {

/// Returns the value of `text` for a parameter of this type:
/// - int and float: as Python reads them, with blanks, a sign, `_` between digits, `inf`, `nan`,
///   but only ASCII digits and, for an int, 64 bits;
/// - bool: true for "true" in any case, else false, as in TorchX; the caller may warn of a text for
///   which is_bool_text() is false;
/// - list and dict: see core/spec/key_values.hpp; an empty text is kNone, "not given"; for a list,
///   blanks alone are an empty one;
/// - str: the text itself.
///
/// Throws Error(kInvalid) with what was expected and what was found.
Value value_of_text(ValueType type, std::string_view text);

/// Returns whether `text` is "true" or "false" in any case.
bool is_bool_text(std::string_view text);

/// Converts `value` to the type of a parameter: decodes a text with value_of_text() and converts an
/// int to a float. kNone fits every type. Throws Error(kInvalid) for every other value of another
/// type.
Value value_of_type(ValueType type, Value value);

/// Returns the type of that name: str, int, float, bool, list, dict. Throws Error(kInvalid), with
/// the nearest name, for any other.
ValueType type_named(std::string_view name);

/// Returns a type's name for messages: "a str", "an int".
std::string_view described(ValueType type);

}  // namespace slipway::components
