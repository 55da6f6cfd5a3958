// The fields of an app that a scheduler does not act on.
#pragma once

#include <optional>
#include <vector>

#include "slipway/scheduler.hpp"

namespace slipway {

/// Adds a finding for each field that a role or the app sets and that `acted_on` does not list, or
/// lists under a condition that the run options do not meet. Adds none for a field that `findings`
/// already names, itself or by a table that contains it. If `acted_on` is nullopt, adds findings
/// only for fields that no scheduler acts on.
void add_ignored_fields(const AppDef& app, const std::optional<std::vector<AppField>>& acted_on,
                        std::vector<Finding>& findings);

/// Adds a finding "options.NAME" for each run option that the app sets for every scheduler and that
/// this one does not declare. Adds "options.OTHER.NAME" for an option that the app sets only for
/// the scheduler OTHER, if `cfg` does not set the option and users would notice that too late
/// (rules::is_missed_late() of sdk/support/rules/life_options.hpp). Any other option for OTHER is
/// no finding: it is meant for that scheduler alone.
void add_ignored_options(const AppDef& app, const RunOpts& declared, const Cfg& cfg,
                         std::vector<Finding>& findings);

/// Returns whether the scheduler ignores the copy of a workspace, so that none is needed.
bool ignores_workspace(const std::vector<Finding>& findings);

}  // namespace slipway
