// `plugin doctor`: reports mistakes in plug-ins, manifests, named resources and the configuration,
// and what to do about them.
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/configuration_check.hpp"
#include "core/cli/commands/installed_parts.hpp"
#include "core/cli/commands/problem_report.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/config/sources.hpp"
#include "core/registry/place_findings.hpp"
#include "core/registry/queries/load_trial.hpp"
#include "sdk/support/joined.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

using registry::PluginEntry;

// The hint of problems that have none, because their message already says what is expected.
constexpr const char* kDefaultHint =
    "correct it or remove it; commands that do not need it are not affected";

// The hint of errors that a plug-in reports without one while it is tried.
constexpr const char* kTrialHint =
    "if the documentation of the plug-in does not explain it, ask its author; commands that do not "
    "need the plug-in are not affected";

/// Returns the problem and, in a line of its own, its hint.
std::string text_of(const spec::Problem& problem) {
  spec::Problem without_hint = problem;
  without_hint.hint.clear();
  return spec::to_string(without_hint) + "\n" +
         (problem.hint.empty() ? "" : "    " + visible_line(problem.hint) + "\n");
}

/// The schedulers whose apps and records belong to one machine.
constexpr std::array<std::string_view, 3> kLocalSchedulers = {"local", "local_cwd", "local_dir"};

/// Returns whether a type in /proc/self/mountinfo is that of a network file system.
bool is_network_file_system(std::string_view type) {
  static constexpr std::array<std::string_view, 21> kTypes = {
      "afs",        "beegfs",         "ceph",         "cifs",         "fhgfs",     "fuse.ceph-fuse",
      "fuse.sshfs", "fuse.glusterfs", "fuse.juicefs", "fuse.gcsfuse", "fuse.s3fs", "fuse.rclone",
      "gfs2",       "glusterfs",      "gpfs",         "lustre",       "nfs",       "nfs4",
      "ocfs2",      "smb3",           "wekafs"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

/// Returns the type of the file system of `path`, or of its nearest directory that exists. Returns
/// nothing when the kernel lists no mount of its device.
std::optional<std::string> file_system_of(std::filesystem::path path) {
  struct stat st {};
  while (::stat(path.c_str(), &st) != 0) {
    if (!path.has_relative_path()) return std::nullopt;
    path = path.parent_path();
  }
  const std::string device = fmt::format("{}:{}", major(st.st_dev), minor(st.st_dev));
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string id;
    std::string parent;
    std::string number;
    words >> id >> parent >> number;
    const std::size_t dash = line.find(" - ");
    if (number != device || dash == std::string::npos) continue;
    return line.substr(dash + 3, line.find(' ', dash + 3) - dash - 3);
  }
  return std::nullopt;
}

/// Adds a warning about records of local apps on a network file system.
void check_records(Invocation& invocation, std::vector<spec::Problem>& problems) {
  registry::PluginHost& plugins = invocation.runner().plugins();
  const std::vector<std::string> known = plugins.registry().names(registry::Group::kSchedulers);
  std::map<std::string, StrList> schedulers;  // by directory
  for (const std::string_view name : kLocalSchedulers) {
    if (std::find(known.begin(), known.end(), name) != known.end())
      schedulers[plugins.state_dir(name)].emplace_back(name);
  }
  for (const auto& [directory, names] : schedulers) {
    const std::optional<std::string> type = file_system_of(directory);
    if (!type || !is_network_file_system(*type)) continue;
    problems.push_back(
        {spec::Severity::kWarning,
         {directory},
         {},
         fmt::format(
             "the records of {} lie on a network file system ({}), though local apps belong "
             "to one machine",
             joined(names, ", "), *type),
         fmt::format("set state_dir in [scheduler.{}] of a configuration file to a directory of a "
                     "local disk, such as \"/var/tmp/slipway-$USER\"",
                     joined(names, "] and [scheduler.")),
         Code::kConfig});
  }
}

/// Adds a warning about each config.toml beside a directory of manifests, such as
/// `/opt/slipway/etc/slipway`, that no layer of the configuration reads.
void check_unread_configuration(Invocation& invocation, std::vector<spec::Problem>& problems) {
  namespace fs = std::filesystem;
  config::Places places;
  places.flag_file = invocation.options().config_file;
  const std::vector<config::Source> sources = config::sources(places);
  std::set<std::string> found;  // a directory may be in the search path twice
  for (const registry::SearchEntry& place : invocation.runner().plugins().registry().searched()) {
    const fs::path directory = place.path;
    if (directory.filename() != "plugins.d" || !directory.is_absolute()) continue;
    const fs::path file = directory.parent_path() / "config.toml";
    std::error_code error;
    const bool is_read = std::any_of(sources.begin(), sources.end(), [&](const auto& source) {
      return fs::equivalent(source.path, file, error);
    });
    if (is_read || !fs::exists(file, error) || !found.insert(file.string()).second) continue;
    problems.push_back({spec::Severity::kWarning,
                        {file.string()},
                        {},
                        fmt::format("no command reads this file: the only configuration file for "
                                    "all users is {}",
                                    places.site_file),
                        "move its settings there, on each machine",
                        Code::kConfig});
  }
}

/// Returns warnings about three kinds of places: directories above those that Slipway uses, if
/// other users may write to them; files of the site that other users cannot read (checked only by
/// root); and records of local apps on a network file system. Also returns warnings about
/// configuration files that no command reads. Loads no plug-in. `findings` may have others already.
std::vector<spec::Problem> check_places(Invocation& invocation, registry::PlaceFindings& findings) {
  registry::check_places(invocation.runner().plugins().registry(), findings);
  findings.check(config::Places().site_file, registry::Origin::kSite);
  std::vector<spec::Problem> out = findings.take();
  check_unread_configuration(invocation, out);
  check_records(invocation, out);
  return out;
}

/// Examines everything in order. Prints each problem when it is found, unless JSON is wanted.
class Doctor {
 public:
  explicit Doctor(Invocation& invocation)
      : invocation_(invocation), registry_(invocation.runner().plugins().registry()) {}

  void examine(const MakeCliApp& make_cli_app) {
    for (const spec::Problem& problem : registry_.problems()) add(problem);
    registry::PlaceFindings findings(registry_.trust());
    for (spec::Problem& problem : check_installed_parts(registry_, findings))
      add(std::move(problem));
    std::vector<const PluginEntry*> usable;
    for (const PluginEntry& plugin : registry_.entries()) {
      if (!plugin.shadowed_by.empty()) {
        examine_shadowed(plugin);
      } else if (plugin.enabled && !plugin.error) {
        usable.push_back(&plugin);
      }
    }
    registry::try_each(usable, registry_.trust(), invocation_.plugin_trial_timeout(),
                       [&](std::size_t place, const registry::LoadTrial& trial) {
                         examine_trial(*usable[place], trial);
                       });
    for (const resources::ResourceEntry& entry : invocation_.resources().entries()) {
      if (!entry.error) continue;
      const spec::Position where = error_position(*entry.error);
      // An error about a plug-in's resource has no line, and names only the plug-in, which may have
      // several problems.
      if (where.line == 0 || !is_known(entry.error->where()))
        add(problem_of_error(*entry.error, where, {}));
    }
    for (spec::Problem& problem : check_configuration(invocation_, make_cli_app))
      add(std::move(problem));
    for (spec::Problem& problem : check_places(invocation_, findings)) add(std::move(problem));
  }

  const std::vector<spec::Problem>& found() const { return found_; }
  std::size_t loaded() const { return loaded_; }

 private:
  void examine_shadowed(const PluginEntry& plugin) {
    if (plugin.difference.empty() || is_masked(plugin)) return;
    add({spec::Severity::kWarning, plugin.source, plugin.id,
         "is not used: " + plugin.shadowed_by +
             " has precedence, and differs: " + plugin.difference,
         "remove the outdated one", Code::kConfig});
  }

  void examine_trial(const PluginEntry& plugin, const registry::LoadTrial& trial) {
    for (const spec::Problem& warning : trial.warnings) {
      if (!is_explained(warning.message)) add(warning);
    }
    if (!trial.error) {
      ++loaded_;
      return;
    }
    spec::Problem problem = problem_of_error(*trial.error, plugin.source, plugin.id);
    if (problem.hint.empty()) problem.hint = kTrialHint;
    add(std::move(problem));
    // Later checks would query this plug-in again.
    invocation_.runner().plugins().exclude(plugin.id);
  }

  /// Returns whether a manifest of higher precedence disables the plug-in, as a site may do.
  bool is_masked(const PluginEntry& plugin) {
    const auto& all = registry_.entries();
    return std::any_of(all.begin(), all.end(), [&](const PluginEntry& other) {
      return other.id == plugin.id && other.shadowed_by.empty() && !other.enabled;
    });
  }

  /// Returns whether a warning only repeats an error that has been found already, such as that of a
  /// missing program.
  bool is_explained(const std::string& warning) const {
    return std::any_of(found_.begin(), found_.end(), [&](const spec::Problem& problem) {
      return problem.severity == spec::Severity::kError && warning.ends_with(problem.message);
    });
  }

  /// Returns whether a problem at this place has been found already.
  bool is_known(const std::string& where) const {
    return std::any_of(found_.begin(), found_.end(), [&](const spec::Problem& problem) {
      return spec::to_string(problem.where) == where;
    });
  }

  void add(spec::Problem problem) {
    if (problem.hint.empty()) problem.hint = kDefaultHint;
    if (!invocation_.json()) write_output(text_of(problem));
    found_.push_back(std::move(problem));
  }

  Invocation& invocation_;
  registry::Registry& registry_;
  std::vector<spec::Problem> found_;
  std::size_t loaded_ = 0;
};

}  // namespace

int plugin_doctor(Invocation& invocation, const PluginDoctorCommand& command) {
  Doctor doctor(invocation);
  doctor.examine(command.make_cli_app);
  ProblemReport report(doctor.found());
  if (invocation.json()) {
    write_json(
        boost::json::object{{"problems", std::move(report.rows)}, {"loaded", doctor.loaded()}});
  }
  say(LogLevel::kInfo, fmt::format("plug-ins that load: {}, {}", doctor.loaded(), report.counts()));
  return report.errors > 0 ? kExitConfig : kExitOk;
}

}  // namespace slipway::cli
