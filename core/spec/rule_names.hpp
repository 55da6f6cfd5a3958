// The names of the rules that reading and validating check. `slipway lint` prints them in brackets,
// and core/docs/lint.md explains each.
#pragma once

#include <string_view>

namespace slipway::spec::rule {

inline constexpr std::string_view kSyntax = "syntax";
inline constexpr std::string_view kUnknownKey = "unknown-key";
inline constexpr std::string_view kDuplicateField = "duplicate-field";
inline constexpr std::string_view kIgnoredField = "ignored-field";
inline constexpr std::string_view kMissingField = "missing-field";
inline constexpr std::string_view kWrongType = "wrong-type";
inline constexpr std::string_view kWrongValue = "wrong-value";
inline constexpr std::string_view kOutOfRange = "out-of-range";
inline constexpr std::string_view kInvalidName = "invalid-name";
inline constexpr std::string_view kDuplicateRole = "duplicate-role";
inline constexpr std::string_view kInvalidVariable = "invalid-variable";
inline constexpr std::string_view kNulCharacter = "nul-character";
inline constexpr std::string_view kInvalidEncoding = "invalid-encoding";
inline constexpr std::string_view kInvalidMount = "invalid-mount";
inline constexpr std::string_view kMountReadOnly = "mount-read-only";
inline constexpr std::string_view kInvalidTemplate = "invalid-template";
inline constexpr std::string_view kUnknownResource = "unknown-resource";
inline constexpr std::string_view kBrokenResource = "broken-resource";
inline constexpr std::string_view kDeprecatedResource = "deprecated-resource";

}  // namespace slipway::spec::rule
