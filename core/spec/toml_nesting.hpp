// How brackets nest in a TOML text, known before it is parsed: toml++ recurses, and overflows the
// stack on hostile input.
#pragma once

#include <optional>
#include <string_view>

#include "core/spec/problem.hpp"

namespace slipway::spec {

struct TomlNesting {
  /// The first bracket, brace or dot that nests deeper than kMaxDepth; the scan ends there.
  std::optional<Mark> too_deep;
  /// The first `]` or `}` that does not match what is open.
  std::optional<Mark> mismatched;
};

/// One pass, no allocation. The text need not be valid: up to its first error the scan sees what a
/// parser sees, and a parser goes no further.
TomlNesting scan_toml_nesting(std::string_view toml);

}  // namespace slipway::spec
