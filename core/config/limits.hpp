// Checks values against the limits of the site ([site.allowed], [site.minimum], [site.maximum]),
// and the scheduler of a run against limits and locks.
#pragma once

#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::config {

/// Appends a problem (kConfig) for each run option of `scheduler` whose final value the site does
/// not allow. `values` are the values for the scheduler; other options have their defaults. An
/// option with neither a value nor a default violates every limit. A limit on a key of a table
/// concerns only tables with that key.
void check_limits(const Settings& settings, const std::string& scheduler, const RunOpts& declared,
                  const Dict<Value>& values, std::vector<spec::Problem>& problems);

/// Appends a problem if the site locks the scheduler of `run` to another one or does not allow
/// `scheduler`. Must be called for every choice of the scheduler: by an option, a file, a request
/// on standard input, or the handle of `rerun`.
void check_scheduler_allowed(const Settings& settings, const std::string& scheduler,
                             std::vector<spec::Problem>& problems);

/// Appends an error for each limit of `scheduler` that no value can satisfy, or that does not fit
/// the option's type; also for each that names an unknown option, unless it is a limit of every
/// scheduler ("*"). Appends a warning for each limit that a run without this option violates: by
/// the value that the site sets, otherwise by the option's default.
void check_limits_are_satisfiable(const Settings& settings, const std::string& scheduler,
                                  const RunOpts& declared, std::vector<spec::Problem>& problems);

}  // namespace slipway::config
