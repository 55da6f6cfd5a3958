// Numbers from text, in all the forms that TorchX takes for run options and arguments: those of Python's int() and
// float().
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace slipway::spec {

/// A decimal integer with an optional sign; one '_' may stand between two digits. Blanks around it do not count. nullopt
/// for any other text and beyond 64 bits. ASCII digits only. Thread safe.
std::optional<std::int64_t> integer_from(std::string_view text);

/// The same for a decimal number, with an exponent if need be, and for inf, infinity and nan in any case. What is too
/// large becomes infinite, what is too small zero. Independent of the locale. Thread safe.
std::optional<double> real_from(std::string_view text);

}  // namespace slipway::spec
