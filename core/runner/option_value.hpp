// A run option's value from a document.
#pragma once

#include <string>

#include "core/spec/node.hpp"
#include "slipway/options.hpp"

namespace slipway {

/// The value as it is written, and null as kNone; nothing is converted, but for the scalars in a list or table when the
/// option is of type `wanted` list or dict: they become text as TorchX writes them, that is Python (`1`, `2.5`, `True`,
/// `None`). Items of any other list or table have to be strings.
///
/// Throws Error kInvalid, placed in `source`, for what no run option can hold. `key` names the option in the message.
Value option_value(const spec::Node& node, ValueType wanted, const std::string& key,
                   const std::string& source);

}  // namespace slipway
