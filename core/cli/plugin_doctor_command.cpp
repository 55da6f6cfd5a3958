// `plugin doctor`: everything that is wrong with plug-ins, manifests, named resources and the configuration, and what to
// do about it.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/configuration_check.hpp"
#include "core/cli/diagnostics.hpp"
#include "core/cli/error_position.hpp"
#include "core/cli/exit_status.hpp"
#include "core/cli/json_output.hpp"
#include "core/cli/place_check.hpp"
#include "core/cli/site_commands.hpp"
#include "core/cli/stream_write.hpp"
#include "core/registry/load_trial.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::cli {

namespace {

using registry::PluginEntry;

// For messages that say what is expected, and so what to write.
constexpr const char* kWhatToDo =
    "correct it, or take it out; nothing that does not need it is held up by it";

class Doctor {
 public:
  explicit Doctor(Invocation& invocation)
      : invocation_(invocation), registry_(invocation.runner().plugins().registry()) {}

  std::vector<spec::Problem> examine() {
    found_ = registry_.problems();
    for (const PluginEntry& plugin : registry_.entries()) examine(plugin);
    for (const resources::ResourceEntry& entry : invocation_.resources().entries()) {
      if (entry.error && !told(entry.error->where())) add(*entry.error, spec::Severity::kError);
    }
    for (spec::Problem& problem : found_) {
      if (problem.hint.empty()) problem.hint = kWhatToDo;
    }
    for (spec::Problem& problem : check_configuration(invocation_))
      found_.push_back(std::move(problem));
    for (spec::Problem& problem : check_places(invocation_)) found_.push_back(std::move(problem));
    return std::move(found_);
  }

  std::size_t loaded() const { return loaded_; }

 private:
  void examine(const PluginEntry& plugin) {
    if (!plugin.shadowed_by.empty()) {
      if (plugin.difference.empty() || is_masked(plugin)) return;
      found_.push_back(
          {spec::Severity::kWarning, plugin.source, plugin.id,
           "is not used: " + plugin.shadowed_by + " comes first, and differs: " + plugin.difference,
           "remove the one that is out of date", Code::kConfig});
      return;
    }
    if (!plugin.enabled || plugin.error) return;
    const registry::LoadTrial trial = registry::try_load(plugin, registry_.trust());
    if (trial.error) {
      Error error(trial.error->code(), trial.error->message(), trial.error->hint(),
                  spec::to_string(plugin.source));
      return add(error, spec::Severity::kError, plugin.source, plugin.id);
    }
    ++loaded_;
    for (const std::string& warning : trial.warnings) {
      found_.push_back({spec::Severity::kWarning, {}, {}, warning, {}, Code::kConfig});
    }
  }

  // `enabled = false` in an earlier place is how a site switches a plug-in off.
  bool is_masked(const PluginEntry& plugin) {
    const auto& all = registry_.entries();
    return std::any_of(all.begin(), all.end(), [&](const PluginEntry& other) {
      return other.id == plugin.id && other.shadowed_by.empty() && !other.enabled;
    });
  }

  // Whether the place is that of a problem which is known already.
  bool told(const std::string& where) const {
    return std::any_of(found_.begin(), found_.end(), [&](const spec::Problem& problem) {
      return spec::to_string(problem.where) == where;
    });
  }

  void add(const Error& error, spec::Severity severity, spec::Position where = {},
           std::string key = {}) {
    if (where.file.empty()) where = error_position(error);
    found_.push_back(
        {severity, std::move(where), std::move(key), error.message(), error.hint(), error.code()});
  }

  Invocation& invocation_;
  registry::Registry& registry_;
  std::vector<spec::Problem> found_;
  std::size_t loaded_ = 0;
};

std::string text_of(const spec::Problem& problem) {
  spec::Problem head = problem;
  head.hint.clear();
  return spec::to_string(head) + "\n" +
         (problem.hint.empty() ? "" : "    " + visible_line(problem.hint) + "\n");
}

}  // namespace

int plugin_doctor(Invocation& invocation, const PluginDoctorCommand&) {
  Doctor doctor(invocation);
  const std::vector<spec::Problem> problems = doctor.examine();
  const auto errors = std::count_if(
      problems.begin(), problems.end(),
      [](const spec::Problem& problem) { return problem.severity == spec::Severity::kError; });
  if (invocation.json()) {
    boost::json::array rows;
    for (const spec::Problem& problem : problems) rows.push_back(problem_json(problem));
    write_json(boost::json::object{{"problems", std::move(rows)}, {"loaded", doctor.loaded()}});
  } else {
    std::string text;
    for (const spec::Problem& problem : problems) text += text_of(problem);
    write_output(text);
  }
  say(LogLevel::kInfo,
      fmt::format("plug-ins that load: {}, errors: {}, warnings: {}", doctor.loaded(), errors,
                  problems.size() - static_cast<std::size_t>(errors)));
  return errors > 0 ? kExitConfig : kExitOk;
}

}  // namespace slipway::cli
