// The head of `state.bin`: the bytes of header, strings and role table. The launch makes it once,
// and each process that opens the file checks it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/state_layout.hpp"

namespace slipway::local {

/// Returns the bytes before the entries, for an app that was just submitted. The plan must be valid
/// (validate_plan()). Throws kInvalid if its names are too long.
std::string build_state_head(const LaunchPlan& plan, std::int64_t submitted_ns);

/// Checks that the header in `bytes` describes a file of `file_bytes`, and that its offsets and
/// counts are in range. If `bytes` reach the entries, also checks the checksum, the string table
/// and the role table. Returns a description of the first mistake; empty if there is none. `bytes`
/// are untrusted. Throws OtherVersion for another format, unless this program reads it and finds no
/// mistake.
std::string check_state_head(std::string_view bytes, std::uint64_t file_bytes);

}  // namespace slipway::local
