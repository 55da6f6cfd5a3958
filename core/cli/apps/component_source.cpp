#include "core/cli/apps/component_source.hpp"

#include "core/cli/apps/resource_names.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/stream_write.hpp"
#include "core/components/arguments.hpp"
#include "core/components/component_help.hpp"
#include "core/spec/problem.hpp"

namespace slipway::cli {

namespace {

components::ArgumentSources sources_of(const components::Component& component,
                                       const ComponentGiven& given) {
  components::ArgumentSources out;
  if (given.defaults) out.defaults = given.defaults(component.info.name);
  out.words = given.words;
  for (const std::string& param : given.params) {
    const std::size_t equals = param.find('=');
    if (equals == 0 || equals == std::string::npos) {
      throw Error(Code::kUsage, "-P " + spec::quoted(param) + ": expected NAME=VALUE",
                  "`slipway component show " + component.info.name + "` lists the parameters");
    }
    set(out.values, param.substr(0, equals), Value(param.substr(equals + 1)));
  }
  for (const auto& [name, value] : given.values) set(out.values, name, value);
  return out;
}

void refuse_repeated(const components::Component& component, const StrList& repeated) {
  if (repeated.empty()) return;
  std::string message;
  for (const std::string& name : repeated)
    message += (message.empty() ? "" : "\n") + component.info.name + ": --" + name +
               " is given more than once";
  throw Error(Code::kUsage, std::move(message));
}

}  // namespace

std::optional<spec::AppFile> build_component(Invocation& invocation,
                                             const components::Component& component,
                                             const ComponentGiven& given) {
  if (components::asks_for_help(component.info, given.words)) {
    write_output(components::help_text(component.info, "slipway run"));
    return std::nullopt;
  }
  const components::Arguments arguments =
      components::parse_arguments(component.info, sources_of(component, given));
  refuse_repeated(component, arguments.repeated);
  for (const std::string& warning : arguments.warnings) say(LogLevel::kWarning, warning);
  return component.build(arguments.values, resource_resolver(invocation),
                         resource_names(invocation));
}

}  // namespace slipway::cli
