// What a site locks: [site.locked] of its configuration file.
#pragma once

#include <vector>

#include "core/config/setting.hpp"

namespace slipway::config {

/// Removes each setting that says something else than a locked one of the same key, whatever its
/// layer, the command line's included, and appends a problem for it: a command that goes on in
/// spite of the problem works with the locked value. The same value is no problem. Of the
/// configuration of a plug-in, only keys that are locked have to agree.
void apply_locks(std::vector<Setting>& settings, std::vector<spec::Problem>& problems);

/// Returns whether both keys mean one setting; [scheduler."*"] means those of every scheduler.
bool same_setting(const SettingKey& one, const SettingKey& other);

/// Returns the problem of a value that is not the locked one: the site's value, its place, and whom
/// to ask.
spec::Problem locked_problem(const Setting& locked, const spec::Position& where);

}  // namespace slipway::config
