// What a site allows where it does not lock one value: [site.allowed], [site.minimum] and
// [site.maximum].
#pragma once

#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::config {

/// Appends a problem (kConfig) for each run option of `scheduler` whose final value the site does
/// not allow. `values` are what the scheduler would get; an option without a value takes its
/// default. An option that has neither breaches every limit: no value is none of the allowed ones.
void check_limits(const Settings& settings, const std::string& scheduler, const RunOpts& declared,
                  const Dict<Value>& values, std::vector<spec::Problem>& problems);

/// Appends a problem when the site locks or limits `run`'s scheduler to others than this one. Every
/// way to name a scheduler ends here: the option, files, a request on standard input, the handle of
/// an app that runs again.
void check_scheduler_allowed(const Settings& settings, const std::string& scheduler,
                             std::vector<spec::Problem>& problems);

/// Appends a problem for each limit that no value can satisfy, that has a wrong type for the option
/// that `scheduler` declares, or that the option's default breaches while the site sets no other.
void check_limits_make_sense(const Settings& settings, const std::string& scheduler,
                             const RunOpts& declared, std::vector<spec::Problem>& problems);

}  // namespace slipway::config
