#include "core/cli/apps/app_source.hpp"

#include <algorithm>
#include <utility>

#include "core/cli/invocation/configuration.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/components/argument_words.hpp"
#include "core/components/arguments.hpp"
#include "core/components/component.hpp"
#include "core/components/component_file.hpp"
#include "core/components/component_from_file.hpp"
#include "core/components/component_help.hpp"
#include "core/components/component_reference.hpp"
#include "core/spec/document.hpp"
#include "core/spec/load_app.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/shell_words.hpp"

namespace slipway::cli {

namespace {

components::ArgumentSources argument_sources(const components::Component& component,
                                             const ComponentArguments& arguments) {
  components::ArgumentSources out;
  if (arguments.defaults) out.defaults = arguments.defaults(component.info.name);
  out.words = arguments.words;
  for (const std::string& param : arguments.params) {
    const std::size_t equals = param.find('=');
    if (equals == 0 || equals == std::string::npos) {
      throw Error(Code::kUsage, "-P " + spec::quoted(param) + ": expected NAME=VALUE",
                  "`slipway component show " + shell_quoted(component.info.name) +
                      "` lists the parameters");
    }
    set(out.values, param.substr(0, equals), Value(param.substr(equals + 1)));
  }
  for (const auto& [name, value] : arguments.values) set(out.values, name, value);
  return out;
}

void check_not_repeated(const components::Component& component, const StrList& repeated) {
  if (repeated.empty()) return;
  std::string message;
  for (const std::string& name : repeated)
    message += (message.empty() ? "" : "\n") + component.info.name + ": --" + name +
               " is given more than once";
  throw Error(Code::kUsage, std::move(message));
}

/// The parameter by which TorchX's components take a named resource.
constexpr const char* kNamedResource = "h";

/// Returns whether the component is from a file that the user named.
bool is_from_file(Invocation& invocation, const components::Component& component) {
  const std::string& name = component.info.name;
  return !components::parse_reference(name).file.empty() ||
         !invocation.components().parse_source_file(name).file.empty();
}

/// Returns the fields in LoadedApp::defaulted_fields.
StrList defaulted_fields(Invocation& invocation, const components::Component& component,
                         const StrList& given) {
  const std::vector<ComponentParam>& params = component.info.params;
  const auto has_default = [&](const ComponentParam& param) {
    return std::find(given.begin(), given.end(), param.name) == given.end();
  };
  StrList out;
  for (const ComponentParam& param : params) {
    if (with_field<Role>(param.name, [](const auto&) {}) && has_default(param))
      out.push_back(param.name);
  }
  const auto names_resource = [&](const ComponentParam& param) {
    return param.name == kNamedResource && !has_default(param);
  };
  if (std::any_of(params.begin(), params.end(), names_resource)) return out;
  const bool builds_all = !is_from_file(invocation, component);
  each_field<Resource>([&](const auto& field) {
    const auto param = std::find_if(params.begin(), params.end(), [&](const ComponentParam& one) {
      return field.is_called(one.name);
    });
    if (param != params.end() ? has_default(*param) : builds_all)
      out.push_back(std::string("resource.") + field.key);
  });
  return out;
}

/// An app from any source, with the positions in its file.
struct ReadApp {
  spec::AppFile file;
  StrList defaulted_fields;  ///< as in LoadedApp
};

/// Prints the component's help if the words ask for it, and returns whether they do.
bool prints_help(const components::Component& component, const ComponentArguments& arguments) {
  if (!components::asks_for_help(component.info, arguments.words)) return false;
  const std::string text = components::help_text(component.info, "slipway run", component.sweep);
  if (arguments.help_as_json) {
    write_json(help_json("run " + component.info.name, text));
  } else {
    write_output(text);
  }
  return true;
}

/// Builds the app. Returns nothing when the words ask for the component's help, which it prints.
std::optional<ReadApp> build_component(Invocation& invocation,
                                       const components::Component& component,
                                       const ComponentArguments& arguments) {
  if (prints_help(component, arguments)) return std::nullopt;
  const components::Arguments parsed =
      components::parse_arguments(component.info, argument_sources(component, arguments));
  check_not_repeated(component, parsed.repeated);
  for (const std::string& warning : parsed.warnings) say(LogLevel::kWarning, warning);
  return ReadApp{
      component.build(parsed.values, resource_resolver(invocation), resource_names(invocation)),
      defaulted_fields(invocation, component, parsed.given)};
}

/// The APP argument: a component, or the document of an app.
struct Source {
  std::optional<components::Component> component;
  spec::Node document;
  std::string name;  ///< of the document: a path, or "stdin"
};

/// Reads the app file, component or standard input that `source` names.
Source open_source(Invocation& invocation, const std::string& source) {
  if (source == "-") return {{}, spec::parse_json(read_standard_input(), "stdin"), "stdin"};
  const components::ComponentReference reference = components::parse_reference(source);
  const bool is_file = !reference.file.empty() && reference.name.empty();
  // A text with '/' cannot be a component's name, unless a plug-in finds components in such files
  // (dir/train.py:ddp). Reading any other text as a file reports what is wrong with it.
  const bool is_path = reference.file.empty() && source.find('/') != std::string::npos &&
                       invocation.components().parse_source_file(source).file.empty();
  if (!is_file && !is_path) return {invocation.components().find(source), {}, {}};
  spec::Node document = spec::read_document(source);
  if (components::holds_components(document))
    return {components::component_from_file(std::move(document), source, {}), {}, {}};
  return {{}, std::move(document), source};
}

std::optional<ReadApp> read_app(Invocation& invocation, const std::string& source,
                                const ComponentArguments& arguments) {
  Source opened = open_source(invocation, source);
  if (opened.component) return build_component(invocation, *opened.component, arguments);
  if (!arguments.empty()) {
    throw Error(Code::kUsage,
                source == "-" ? "an app on standard input has no parameters"
                              : "the app file " + source + " has no parameters",
                "-P works only with components");
  }
  return ReadApp{spec::load_app_document(std::move(opened.document), opened.name,
                                         resource_resolver(invocation), resource_names(invocation)),
                 {}};
}

}  // namespace

std::optional<std::vector<components::SweptParam>> load_sweep(Invocation& invocation,
                                                              const std::string& source,
                                                              const ComponentArguments& arguments) {
  Source opened;
  if (source != "-") opened = open_source(invocation, source);
  if (!opened.component) return std::vector<components::SweptParam>{};
  const ComponentInfo& info = opened.component->info;
  if (prints_help(*opened.component, arguments)) return std::nullopt;
  const components::ArgumentWords words = components::separate_words(info, arguments.words);
  std::vector<components::SweptParam> out = std::move(opened.component->sweep);
  std::erase_if(out, [&](const components::SweptParam& param) {
    const auto sets_it = [&](const components::GivenOption& option) {
      return option.param->name == param.name;
    };
    const auto is_variadic = [&](const ComponentParam& one) {
      return one.variadic && one.name == param.name;
    };
    // `rest` holds the words of the variadic parameter.
    return std::any_of(words.options.begin(), words.options.end(), sets_it) ||
           (!words.rest.empty() &&
            std::any_of(info.params.begin(), info.params.end(), is_variadic));
  });
  return out;
}

std::optional<LoadedApp> load_app(Invocation& invocation, const std::string& source,
                                  const ComponentArguments& arguments) {
  try {
    std::optional<ReadApp> read = read_app(invocation, source, arguments);
    if (!read) return std::nullopt;
    print_warnings(read->file.warnings);
    return LoadedApp{
        std::move(read->file.app),
        std::move(read->defaulted_fields),
        {std::move(read->file.source), std::move(read->file.options), std::move(read->file.marks)}};
  } catch (const spec::InvalidApp& invalid) {
    if (invalid.code() == Code::kNotFound) warn_of_missing_resources(invocation);
    throw;
  }
}

void warn_of_unusable_manifests(Invocation& invocation) {
  for (const spec::Problem& problem : invocation.runner().plugins().registry().problems()) {
    if (problem.severity == spec::Severity::kError)
      say(LogLevel::kWarning, spec::to_string(problem));
  }
}

void warn_of_missing_resources(Invocation& invocation) {
  warn_of_unusable_manifests(invocation);
  for (const std::string& failure : invocation.resources().unavailable())
    say(LogLevel::kWarning, failure);
}

spec::ResourceResolver resource_resolver(Invocation& invocation) {
  return [&invocation](std::string_view name) {
    std::optional<spec::NamedResource> found = invocation.resources().find_named(name);
    if (found) return found;
    const std::string why = invocation.resources().why_missing(name);
    if (!why.empty()) throw Error(Code::kNotFound, why);
    return found;
  };
}

spec::ResourceNames resource_names(Invocation& invocation) {
  return [&invocation] { return invocation.resources().names(); };
}

}  // namespace slipway::cli
