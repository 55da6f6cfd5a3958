// "Did you mean …?" for anything that is written by its name: keys, resources, schedulers, options,
// commands.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::spec {

/// The candidate that `name` is most likely a misspelling of: one that differs in case or in
/// `-`/`_` only, else the nearest one with at most a third of the letters wrong (a swap of
/// neighbours counts once). The first of equals wins; nullopt when nothing is near. Names of more
/// than 64 bytes have no neighbours, so the cost is bounded.
std::optional<std::string> near_name(std::string_view name,
                                     const std::vector<std::string>& candidates);
std::optional<std::string> near_name(std::string_view name,
                                     const std::vector<std::string_view>& candidates);

/// `did you mean X?`, or an empty text when nothing is near: the form that hints have everywhere.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace slipway::spec
