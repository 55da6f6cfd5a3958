// What a site locks: [site.locked] of its configuration file.
#pragma once

#include <vector>

#include "core/config/setting.hpp"

namespace slipway::config {

/// A problem for each setting that says something else than a locked one of the same key: every layer's, the command
/// line's too. Of the configuration of a plug-in, only keys that are locked have to agree. The same value is no problem.
void check_locks(const std::vector<Setting>& settings, std::vector<spec::Problem>& problems);

/// The words for a value that is not the locked one: the site's value, its place, and whom to ask.
spec::Problem locked_problem(const Setting& locked, const spec::Position& where);

}  // namespace slipway::config
