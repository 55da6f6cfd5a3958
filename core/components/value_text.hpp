// One argument of a component, from its text to its type. Semantics: TorchX's decoding of component
// arguments, which has Python's notion of what a number looks like.
#pragma once

#include <string_view>

#include "slipway/options.hpp"

namespace slipway::components {

/// The value that `text` means for a parameter of this type:
/// - int and float: as Python reads them: blanks around, a sign, `_` between digits, `inf`, `nan`;
/// - bool: true for "true" in any case, else false (see means_a_bool);
/// - list, dict: core/spec/key_values.hpp; the empty text is kNone, "not given";
/// - str: the text.
///
/// Throws Error kInvalid that says what was expected and what was found.
Value value_of_text(ValueType type, std::string_view text);

/// Whether `text` is "true" or "false" in any case, and so says what its author means.
bool means_a_bool(std::string_view text);

/// `value` as a parameter of this type has it: a text is decoded as above and an int will do for a
/// float. kNone fits every type. Throws Error kInvalid for any other value of another type.
Value value_of_type(ValueType type, Value value);

/// The type that is called `name`: str, int, float, bool, list, dict. Throws Error kInvalid, with the
/// nearest name, for any other.
ValueType type_named(std::string_view name);

/// "a str", "an int": a type in a message.
std::string_view described(ValueType type);

}  // namespace slipway::components
