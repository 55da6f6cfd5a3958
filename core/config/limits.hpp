// Checks values against the limits of the site ([site.allowed], [site.minimum], [site.maximum]),
// and the scheduler of a run against limits and locks.
#pragma once

#include <string>
#include <vector>

#include "core/config/settings.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::config {

/// The places of the values of run options, by option (`grace_s`), and of an entry of a table by
/// both keys (`backoff.max`).
using ValuePlaces = Dict<spec::Position>;

/// Returns the place of the run option, or of its entry `table_key` unless that is empty; an empty
/// position for an option that has its default.
spec::Position place_of(const ValuePlaces& places, const std::string& option,
                        const std::string& table_key = {});

/// Appends a problem (kConfig), with the place of the value, for each run option of `scheduler`
/// whose final value the site does not allow. `values` are the values for the scheduler, which come
/// from `places`; other options have their defaults. An option with neither a value nor a default
/// violates every limit. A limit on a key of a table concerns only tables with that key.
void check_limits(const Settings& settings, const std::string& scheduler, const RunOpts& declared,
                  const Dict<Value>& values, const ValuePlaces& places,
                  std::vector<spec::Problem>& problems);

/// Appends a problem, with the place of the choice if a setting made it, if the site locks the
/// scheduler of `run` to another one or does not allow `scheduler`. Must be called for every choice
/// of the scheduler: by an option, a file, a request on standard input, or the handle of `rerun`.
void check_scheduler_allowed(const Settings& settings, const std::string& scheduler,
                             std::vector<spec::Problem>& problems);

/// Appends a problem if the site does not allow the scheduler that `setting`, of any layer, chooses
/// for `run`. If the site itself locks it, no run can succeed, and the problem says so.
void check_choice_allowed(const Settings& settings, const Setting& setting,
                          std::vector<spec::Problem>& problems);

/// Appends a problem for each setting of `scheduler`, of each layer, that the site does not allow:
/// also for one that a higher layer overrides, as locks do. Of the settings of one option in a
/// layer, checks only the one that wins. Skips values of a wrong type.
void check_settings_allowed(const Settings& settings, const std::string& scheduler,
                            const RunOpts& declared, std::vector<spec::Problem>& problems);

/// Appends an error for each limit of `scheduler` that no value can satisfy, or that does not fit
/// the option's type; also for each that names an unknown option, unless it is a limit of every
/// scheduler ("*"). Appends a warning for each limit that the option's default violates, unless the
/// site sets another value, which check_settings_allowed() checks.
void check_limits_are_satisfiable(const Settings& settings, const std::string& scheduler,
                                  const RunOpts& declared, std::vector<spec::Problem>& problems);

/// Returns the limits of the setting, in the order of the site's file. Those of a run option
/// include the limits of every scheduler.
std::vector<const Limit*> limits_of(const Settings& settings, const SettingKey& key);

/// Returns the limit in words, to follow "the site allows": `at most 60`.
std::string rule_text(const Limit& limit);

}  // namespace slipway::config
