#include "core/cli/apps/app_source.hpp"

#include <utility>

#include "core/cli/apps/resource_names.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/standard_input.hpp"
#include "core/components/component_file.hpp"
#include "core/components/component_reference.hpp"
#include "core/components/file_component.hpp"
#include "core/spec/document.hpp"
#include "core/spec/load_app.hpp"
#include "core/spec/problem.hpp"

namespace slipway::cli {

void tell_unusable_manifests(Invocation& invocation) {
  for (const spec::Problem& problem : invocation.runner().plugins().registry().problems()) {
    if (problem.severity == spec::Severity::kError)
      say(LogLevel::kWarning, spec::to_string(problem));
  }
  for (const std::string& failure : invocation.resources().unavailable())
    say(LogLevel::kWarning, failure);
}

namespace {

// A file with an app, or with components.
std::optional<spec::AppFile> read_file(Invocation& invocation, const std::string& path,
                                       const ComponentGiven& given) {
  spec::Node document = spec::read_document(path);
  if (components::holds_components(document))
    return build_component(invocation, components::file_component(std::move(document), path, {}),
                           given);
  if (!given.empty()) {
    throw Error(Code::kUsage, path + " is an app file, which has no parameters",
                "-P is for files with components");
  }
  return spec::load_app_document(std::move(document), path, resource_resolver(invocation),
                                 resource_names(invocation));
}

std::optional<spec::AppFile> read_app(Invocation& invocation, const std::string& source,
                                      const ComponentGiven& given) {
  const components::ComponentReference reference = components::parse_reference(source);
  if (source == "-") {
    if (!given.empty())
      throw Error(Code::kUsage, "an app on standard input has no parameters",
                  "-P is for files with components");
    return spec::load_app_document(spec::parse_json(read_standard_input(), "stdin"), "stdin",
                                   resource_resolver(invocation), resource_names(invocation));
  }
  const bool is_file = !reference.file.empty() && reference.name.empty();
  // a path cannot be a component's name; reading it says what is wrong with it
  if (is_file || (reference.file.empty() && source.find('/') != std::string::npos))
    return read_file(invocation, source, given);
  return build_component(invocation, invocation.components().find(source), given);
}

}  // namespace

std::optional<AppDef> load_app(Invocation& invocation, const std::string& source,
                               const ComponentGiven& given) {
  try {
    std::optional<spec::AppFile> file = read_app(invocation, source, given);
    if (!file) return std::nullopt;
    for (const spec::Problem& warning : file->warnings)
      say(LogLevel::kWarning, spec::to_string(warning));
    return std::move(file->app);
  } catch (const spec::InvalidApp& invalid) {
    // a resource may be unknown only because its manifest or plug-in could not be used
    if (invalid.code() == Code::kNotFound) tell_unusable_manifests(invocation);
    throw;
  }
}

}  // namespace slipway::cli
