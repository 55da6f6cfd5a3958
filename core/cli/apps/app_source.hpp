// The APP argument of `run`: reads an app from a file, standard input or a component.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/apps/app_options.hpp"
#include "core/cli/invocation/invocation.hpp"
#include "core/components/sweep_values.hpp"
#include "core/spec/resolve_resources.hpp"
#include "slipway/app.hpp"

namespace slipway::cli {

/// Arguments for a component, from several sources. A later member overrides the earlier ones.
struct ComponentArguments {
  /// Returns the defaults of a component from configuration files, by parameter. An empty function
  /// means none.
  std::function<Dict<Value>(const std::string& component)> defaults;
  StrList words;                    ///< the words after the component's name
  std::vector<std::string> params;  ///< NAME=VALUE, from -P
  Dict<Value> values;               ///< from the JSON of `run --stdin`
  bool help_as_json = false;        ///< print the help that `words` ask for as `help --json` does

  bool empty() const { return words.empty() && params.empty() && values.empty(); }
};

/// An app, and the facts about its source that a run needs.
struct LoadedApp {
  AppDef app;
  /// Fields of roles whose values the user did not choose: those that a component sets from a
  /// parameter of the same name, if the parameter has its default, and those of `resource` that a
  /// plug-in's component has no parameter for. A named resource is a choice of all of `resource`.
  StrList defaulted_fields;
  AppOrigin origin;
};

/// Reads and validates the app in `source`, and resolves its named resources. `source` is a path
/// that ends in .toml or .json, `-` for JSON on standard input, or a component. A file with one
/// component stands for that component. Prints the app's warnings and, if a named resource is
/// unknown, those of warn_of_missing_resources(). Returns nothing when the words ask for the
/// component's help, which it prints.
///
/// Throws InvalidApp with all problems of the app, Error kNotFound for an unknown file or
/// component, and kUsage when `arguments` do not fit the app.
std::optional<LoadedApp> load_app(Invocation& invocation, const std::string& source,
                                  const ComponentArguments& arguments);

/// Returns the parameters of the sweep in the component's file, without those that the words of
/// `arguments` set; none for an app file and for `-`. Returns nothing when the words ask for the
/// component's help, which it prints. Throws as load_app().
std::optional<std::vector<components::SweptParam>> load_sweep(Invocation& invocation,
                                                              const std::string& source,
                                                              const ComponentArguments& arguments);

/// Prints a warning for each manifest that cannot be used.
void warn_of_unusable_manifests(Invocation& invocation);
/// Does the same, also for each provider of named resources that cannot be used. A resource may be
/// unknown only because of one of them.
void warn_of_missing_resources(Invocation& invocation);

/// Returns a function that finds named resources. It throws Error kNotFound for one of a disabled
/// plug-in. Borrows `invocation`.
spec::ResourceResolver resource_resolver(Invocation& invocation);
/// Returns a function that returns the names of all named resources. Borrows `invocation`.
spec::ResourceNames resource_names(Invocation& invocation);

}  // namespace slipway::cli
