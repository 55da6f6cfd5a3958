// `plugin doctor`: everything that is wrong with plug-ins, manifests, named resources and the
// configuration, and what to do about it.
#include <fmt/core.h>

#include <algorithm>
#include <boost/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/commands/configuration_check.hpp"
#include "core/cli/commands/error_position.hpp"
#include "core/cli/commands/place_check.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/parser/site_commands.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/stream_write.hpp"
#include "core/registry/queries/load_trial.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

using registry::PluginEntry;

// For messages that say what is expected, and so what to write.
constexpr const char* kWhatToDo =
    "correct it, or take it out; nothing that does not need it is held up by it";

std::string text_of(const spec::Problem& problem) {
  spec::Problem head = problem;
  head.hint.clear();
  return spec::to_string(head) + "\n" +
         (problem.hint.empty() ? "" : "    " + visible_line(problem.hint) + "\n");
}

/// Looks at everything in order, and prints what it finds at once unless it is for JSON.
class Doctor {
 public:
  explicit Doctor(Invocation& invocation)
      : invocation_(invocation), registry_(invocation.runner().plugins().registry()) {}

  void examine() {
    for (const spec::Problem& problem : registry_.problems()) add(problem);
    std::vector<const PluginEntry*> usable;
    for (const PluginEntry& plugin : registry_.entries()) {
      if (!plugin.shadowed_by.empty()) {
        examine_shadowed(plugin);
      } else if (plugin.enabled && !plugin.error) {
        usable.push_back(&plugin);
      }
    }
    // twice: a plug-in whose engine is away may need all of its time to find that out
    registry::try_each(usable, registry_.trust(), 2 * invocation_.plugin_timeout(),
                       [&](std::size_t place, const registry::LoadTrial& trial) {
                         examine_trial(*usable[place], trial);
                       });
    for (const resources::ResourceEntry& entry : invocation_.resources().entries()) {
      if (entry.error && !is_known(entry.error->where()))
        add(problem_of(*entry.error, error_position(*entry.error), {}));
    }
    for (spec::Problem& problem : check_configuration(invocation_)) add(std::move(problem));
    for (spec::Problem& problem : check_places(invocation_)) add(std::move(problem));
  }

  const std::vector<spec::Problem>& found() const { return found_; }
  std::size_t loaded() const { return loaded_; }

 private:
  void examine_shadowed(const PluginEntry& plugin) {
    if (plugin.difference.empty() || is_masked(plugin)) return;
    add({spec::Severity::kWarning, plugin.source, plugin.id,
         "is not used: " + plugin.shadowed_by + " comes first, and differs: " + plugin.difference,
         "remove the one that is out of date", Code::kConfig});
  }

  void examine_trial(const PluginEntry& plugin, const registry::LoadTrial& trial) {
    for (const std::string& warning : trial.warnings)
      add({spec::Severity::kWarning, {}, {}, warning, {}, Code::kConfig});
    if (!trial.error) {
      ++loaded_;
      return;
    }
    add(problem_of(*trial.error, plugin.source, plugin.id));
    // what follows asks plug-ins again
    invocation_.runner().plugins().exclude(plugin.id);
  }

  // `enabled = false` in an earlier place is how a site switches a plug-in off.
  bool is_masked(const PluginEntry& plugin) {
    const auto& all = registry_.entries();
    return std::any_of(all.begin(), all.end(), [&](const PluginEntry& other) {
      return other.id == plugin.id && other.shadowed_by.empty() && !other.enabled;
    });
  }

  // Whether the place is that of a problem which is known already.
  bool is_known(const std::string& where) const {
    return std::any_of(found_.begin(), found_.end(), [&](const spec::Problem& problem) {
      return spec::to_string(problem.where) == where;
    });
  }

  static spec::Problem problem_of(const Error& error, spec::Position where, std::string key) {
    return {spec::Severity::kError, std::move(where), std::move(key),
            error.message(),        error.hint(),     error.code()};
  }

  void add(spec::Problem problem) {
    if (problem.hint.empty()) problem.hint = kWhatToDo;
    if (!invocation_.json()) write_output(text_of(problem));
    found_.push_back(std::move(problem));
  }

  Invocation& invocation_;
  registry::Registry& registry_;
  std::vector<spec::Problem> found_;
  std::size_t loaded_ = 0;
};

}  // namespace

int plugin_doctor(Invocation& invocation, const PluginDoctorCommand&) {
  Doctor doctor(invocation);
  doctor.examine();
  const std::vector<spec::Problem>& problems = doctor.found();
  const auto errors = std::count_if(
      problems.begin(), problems.end(),
      [](const spec::Problem& problem) { return problem.severity == spec::Severity::kError; });
  if (invocation.json()) {
    boost::json::array rows;
    for (const spec::Problem& problem : problems) rows.push_back(problem_json(problem));
    write_json(boost::json::object{{"problems", std::move(rows)}, {"loaded", doctor.loaded()}});
  }
  say(LogLevel::kInfo,
      fmt::format("plug-ins that load: {}, errors: {}, warnings: {}", doctor.loaded(), errors,
                  problems.size() - static_cast<std::size_t>(errors)));
  return errors > 0 ? kExitConfig : kExitOk;
}

}  // namespace slipway::cli
