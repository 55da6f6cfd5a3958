#include "core/cli/completion/names.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "core/components/component_file.hpp"
#include "core/spec/document.hpp"
#include "core/spec/problem.hpp"

namespace slipway::cli {

namespace {

/// Returns whether the user sets the parameter with `--NAME`.
bool is_option(const ComponentParam& param) { return !param.variadic && !param.name.empty(); }

}  // namespace

Candidates scheduler_names(Invocation& invocation) {
  Candidates out;
  for (std::string& name : invocation.runner().scheduler_backends())
    out.push_back({std::move(name), {}});
  return out;
}

Candidates plugin_names(Invocation& invocation) {
  Candidates out;
  for (const registry::PluginEntry& plugin : invocation.runner().plugins().registry().entries()) {
    if (plugin.shadowed_by.empty()) out.push_back({plugin.id, plugin.description});
  }
  return out;
}

Candidates resource_candidates(Invocation& invocation) {
  Candidates out;
  for (std::string& name : invocation.resources().names()) out.push_back({std::move(name), {}});
  return out;
}

Candidates component_names(Invocation& invocation) {
  Candidates out;
  for (const auto& [name, component] : invocation.components().all())
    out.push_back({name, component.info.help});
  return out;
}

Candidates app_names(Invocation& invocation, AppsOf which, AppNames names) {
  const bool as_handles = names == AppNames::kHandles;
  // A query of a cluster takes too long for a completion.
  constexpr bool kForegroundOnly = true;
  Candidates out;
  Runner& runner = invocation.runner();
  for (const auto& [scheduler, items, error, is_logged] :
       runner.list_of(runner.scheduler_backends(), ListQuery{}, kForegroundOnly)) {
    for (const ListItem& item : items) {
      if (which != AppsOf::kAll && is_terminal(item.state) != (which == AppsOf::kFinished))
        continue;
      const std::string& session = item.session.empty() ? runner.session() : item.session;
      out.push_back(
          {as_handles ? to_string(AppHandle{scheduler, session, item.app_id}) : item.app_id,
           std::string(to_string(item.state)) + " " + item.name});
    }
  }
  if (!as_handles && !out.empty()) out.push_back({"@last", "the newest app"});
  return out;
}

Candidates run_options(Invocation& invocation, const std::string& scheduler,
                       const std::string& written) {
  Candidates out;
  const std::size_t separator = written.find_last_of(",;");
  const std::size_t start = separator == std::string::npos ? 0 : separator + 1;
  const std::string earlier_options = written.substr(0, start);
  const std::size_t equals = written.find('=', start);
  const auto answers = invocation.runner().run_opts_of({scheduler});
  for (const RunOpt& option : answers.front().answer) {
    if (equals == std::string::npos) {
      out.push_back({earlier_options + option.name + "=", option.help});
    } else if (option.type == ValueType::kBool &&
               written.compare(start, equals - start, option.name) == 0) {
      for (const char* word : {"true", "false"})
        out.push_back({earlier_options + option.name + "=" + word, {}});
    }
  }
  return out;
}

Candidates parameter_options(Invocation& invocation, const components::ComponentCall& call) {
  Candidates out;
  for (const ComponentParam& param : invocation.components().find(call.component).info.params) {
    if (is_option(param)) out.push_back({"--" + param.name, param.help});
  }
  out.push_back({"--help", "Show what the component does, and its parameters"});
  return out;
}

Candidates parameter_settings(Invocation& invocation, const std::string& component) {
  Candidates out;
  for (const ComponentParam& param : invocation.components().find(component).info.params)
    out.push_back({param.name + "=", param.help});
  return out;
}

Candidates file_names(const std::string& written, const std::vector<std::string_view>& endings) {
  namespace fs = std::filesystem;
  Candidates out;
  const std::size_t slash = written.rfind('/');
  const std::string parent = slash == std::string::npos ? "" : written.substr(0, slash + 1);
  const std::string start = written.substr(parent.size());
  std::string directory = parent.empty() ? "." : parent;
  if (const char* home = std::getenv("HOME"); directory.rfind("~/", 0) == 0 && home != nullptr)
    directory.replace(0, 1, home);
  std::error_code unreadable;
  for (fs::directory_iterator each(directory, unreadable), end; !unreadable && each != end;
       each.increment(unreadable)) {
    const std::string name = each->path().filename().string();
    const bool hidden = name.front() == '.' && start.empty();
    if (hidden || name.compare(0, start.size(), start) != 0) continue;
    std::error_code ignored;  // of a file that was just deleted
    if (each->is_directory(ignored)) {
      out.push_back({parent + name + "/", {}});
    } else if (endings.empty() ||
               std::any_of(endings.begin(), endings.end(),
                           [&](std::string_view ending) { return name.ends_with(ending); })) {
      out.push_back({parent + name, {}});
    }
  }
  return out;
}

Candidates components_of_file(const std::string& file) {
  Candidates out;
  spec::Node document = spec::read_document(file);
  if (!components::holds_components(document)) return out;
  spec::ProblemList ignored;
  for (const components::FileComponent& component :
       components::read_component_file(std::move(document), file, ignored).components) {
    out.push_back({file + ":" + component.info.name, component.info.help});
  }
  return out;
}

Candidates components_of_source(Invocation& invocation, const std::string& file) {
  Candidates out;
  for (const ComponentInfo& component : invocation.components().components_of_file(file))
    out.push_back({file + ":" + component.name, component.help});
  return out;
}

}  // namespace slipway::cli
