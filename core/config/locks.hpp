// Applies the locks of the site: [site.locked] of its configuration file.
#pragma once

#include <vector>

#include "core/config/setting.hpp"

namespace slipway::config {

/// Removes each setting of any layer that differs from a locked one of the same setting (see
/// same_setting()), and appends a problem for it. A command that continues despite the problem uses
/// the locked value. A setting with the locked value stays. In the configuration of a plug-in, this
/// applies to single keys, and a setting that would replace a table with a locked key is removed.
void apply_locks(std::vector<Setting>& settings, std::vector<spec::Problem>& problems);

/// Returns whether both keys refer to one setting; [scheduler."*"] refers to every scheduler.
bool same_setting(const SettingKey& one, const SettingKey& other);

/// Returns the problem of a value at `where` that differs from the locked one. The message has the
/// site's value, unless it is a secret, and its place.
spec::Problem locked_problem(const Setting& locked, const spec::Position& where);

}  // namespace slipway::config
