// The head of `state.bin` (header, strings, role table) as bytes: made once, checked by everyone
// who opens it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/state_layout.hpp"

namespace slipway::local {

/// Makes the bytes before the records, of an app that was just submitted. The plan must be valid
/// (validate_plan).
std::string build_state_head(const LaunchPlan& plan, std::int64_t submitted_ns);

/// Throws OtherVersion when `bytes`, the beginning of a state file, are of a format that this
/// program does not read. Says nothing about a file that is too short or no state file.
void check_state_version(std::string_view bytes);

/// Checks that the header in `bytes` describes a file of `file_bytes` and that offsets and counts
/// in it are in range. When `bytes` reach the records, checks the checksum, the string table and
/// the role table too. Returns what is wrong, empty when nothing is. `bytes` are untrusted. Throws
/// OtherVersion for a format that is not this program's and that it cannot make sense of.
std::string check_state_head(std::string_view bytes, std::uint64_t file_bytes);

}  // namespace slipway::local
