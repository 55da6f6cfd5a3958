// `plugin check FILE`: reads a manifest and loads its libraries, or loads a single library, as a
// command that needs them would.
#include <unistd.h>

#include <boost/json.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/problem_report.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/registry/libraries/checksum.hpp"
#include "core/registry/queries/load_trial.hpp"
#include "sdk/support/absolute_path.hpp"

namespace slipway::cli {

namespace {

namespace json = boost::json;
using registry::LoadTrial;
using registry::PluginEntry;

/// The results of the check.
struct Findings {
  std::vector<spec::Problem> problems;
  json::array libraries;  ///< the libraries that load
  std::string text;       ///< the same libraries as lines for people
};

/// Adds the library that the trial loaded or, if that failed, the problem.
void add_trial(const PluginEntry& plugin, const LoadTrial& trial, Findings& findings) {
  findings.problems.insert(findings.problems.end(), trial.warnings.begin(), trial.warnings.end());
  if (trial.error) {
    findings.problems.push_back(problem_of_error(*trial.error, plugin.source, plugin.id));
    return;
  }
  std::string sha256;
  try {
    sha256 = registry::sha256_of_file(plugin.library);
  } catch (const Error& error) {
    findings.problems.push_back(problem_of_error(error, plugin.source, plugin.id));
    return;
  }
  json::array provides;
  findings.text += trial.id + " " + trial.version + " (" + trial.build + ")\n  " + plugin.library +
                   "\n  sha256 = \"" + sha256 + "\"\n";
  for (const std::string& each : trial.provides) {
    provides.emplace_back(each);
    findings.text += "  " + each + "\n";
  }
  findings.libraries.push_back(json::object{{"id", trial.id},
                                            {"version", trial.version},
                                            {"build", trial.build},
                                            {"library", plugin.library},
                                            {"sha256", sha256},
                                            {"provides", std::move(provides)}});
}

/// Loads the libraries with the configuration that a command would pass to them, but not those of a
/// manifest that is not trusted: another user could have written it.
Findings check_manifest(const std::string& file, registry::Registry& known,
                        std::chrono::milliseconds limit) {
  Findings out;
  const registry::Origin origin = known.origin_of(file);
  bool is_trusted = true;
  try {
    registry::check_directory_trusted(known.trust(), origin, file);
  } catch (const Error& error) {
    out.problems.push_back(problem_of_error(error, {file}, {}));
    is_trusted = false;
  }
  registry::Manifest manifest = registry::read_manifest(file, origin, known.trust(), out.problems);
  for (PluginEntry& plugin : manifest.plugins) {
    if (!is_trusted || !plugin.enabled || plugin.error) continue;
    if (const auto found = known.settings().find(plugin.id); found != known.settings().end())
      registry::merge_config(plugin.config, found->second.config);
    add_trial(plugin, registry::try_load(plugin, known.trust(), limit), out);
  }
  return out;
}

Findings check_library(const std::string& file, const registry::TrustPolicy& trust,
                       std::chrono::milliseconds limit) {
  Findings out;
  PluginEntry plugin;
  plugin.library = file;
  plugin.source.file = file;
  add_trial(plugin, registry::try_load(plugin, trust, limit), out);
  return out;
}

}  // namespace

int plugin_check(Invocation& invocation, const PluginCheckCommand& command) {
  if (::access(command.file.c_str(), F_OK) != 0) {
    throw Error(errno == EACCES ? Code::kDenied : Code::kNotFound,
                command.file + " cannot be checked: " + std::strerror(errno));
  }
  const std::filesystem::path path = normal_path(absolute_path(command.file));
  registry::Registry& known = invocation.runner().plugins().registry();
  const std::chrono::milliseconds limit = invocation.plugin_trial_timeout();
  const Findings findings = path.extension() == ".toml"
                                ? check_manifest(path.string(), known, limit)
                                : check_library(path.string(), known.trust(), limit);
  ProblemReport report(findings.problems);
  if (invocation.json()) {
    write_json(
        json::object{{"libraries", findings.libraries}, {"problems", std::move(report.rows)}});
  } else {
    write_output(findings.text + report.lines);
  }
  say(LogLevel::kInfo, command.file + ": " + report.counts());
  return report.errors > 0 ? kExitData : kExitOk;
}

}  // namespace slipway::cli
