// Suggests "did you mean …?" for misspelt names of keys, resources, schedulers, options and
// commands.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::spec {

/// Returns the candidate that `name` most likely means: one that is equal or differs only in case
/// or in `-`/`_`, else the nearest one with at most a third of the letters of `name` wrong, or one
/// letter if `name` has fewer than three (a swap of neighbours counts once). A candidate is not
/// near if it has no more letters than are wrong: `y` for `x`. Of equally near candidates the first
/// wins. Returns nullopt if none is near. Names and candidates longer than 64 bytes match none,
/// which bounds the cost.
std::optional<std::string> near_name(std::string_view name,
                                     const std::vector<std::string>& candidates);
std::optional<std::string> near_name(std::string_view name,
                                     const std::vector<std::string_view>& candidates);

/// Returns the hint `did you mean X?`, or an empty text if no candidate is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace slipway::spec
