// Finds what configuration files say about schedulers and run options that this machine does not
// have.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/invocation/invocation.hpp"
#include "core/config/settings.hpp"

namespace slipway::cli {

/// The schedulers of this machine, with their run options. Queries each scheduler only once.
/// Borrows `runner`.
class SchedulerOptions {
 public:
  explicit SchedulerOptions(Runner& runner)
      : runner_(runner), schedulers_(runner.scheduler_backends()) {}

  const std::vector<std::string>& schedulers() const { return schedulers_; }
  bool is_known(const std::string& scheduler) const;
  /// Returns the run options of a scheduler, or nullptr if it is unknown or does not answer, which
  /// is a problem of its plug-in.
  const RunOpts* of(const std::string& scheduler);
  /// Returns the names of the run options of all schedulers that answer.
  std::vector<std::string> all_names();
  /// Returns whether every scheduler answers.
  bool all_answer();

 private:
  Runner& runner_;
  std::vector<std::string> schedulers_;
  std::map<std::string, std::optional<RunOpts>> asked_;
};

/// Appends a problem for each `scheduler` of a command, and each one that the site allows, that is
/// unknown: an error if every run without `-s` or every run at all fails because of it, otherwise a
/// warning. `is_effective` says whether the settings are those in force, and not those of a profile
/// that only the check has chosen. Also appends an error if the site locks a scheduler that it does
/// not allow.
void check_chosen_schedulers(const config::Settings& settings, SchedulerOptions& options,
                             bool is_effective, std::vector<spec::Problem>& problems);

/// Appends a warning for each setting and limit of every scheduler ([scheduler."*"]) that names an
/// option of no scheduler, and for the limits of each unknown scheduler. If a scheduler does not
/// answer, it may have the option: then only an option that resembles a known one causes a warning,
/// which says so.
void check_unused_rules(const config::Settings& settings, SchedulerOptions& options,
                        std::vector<spec::Problem>& problems);

}  // namespace slipway::cli
