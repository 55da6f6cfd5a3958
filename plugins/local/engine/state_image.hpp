// The head of `state.bin` (header, strings, role table) as bytes: made once, checked by everyone
// who opens it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/engine/plan.hpp"
#include "plugins/local/engine/state_layout.hpp"

namespace slipway::local {

/// The bytes before the records, of an app that was just submitted. The plan must be valid
/// (validate_plan).
std::string build_state_head(const LaunchPlan& plan, const std::string& boot_id,
                             std::int64_t submitted_ns);

/// Checks that the header in `bytes` describes a file of `file_bytes` and that offsets and counts
/// in it are in range. When `bytes` reach the records, checks the checksum, the string table and
/// the role table too. Returns what is wrong, empty when nothing is. `bytes` are untrusted.
std::string check_state_head(std::string_view bytes, std::uint64_t file_bytes);

}  // namespace slipway::local
