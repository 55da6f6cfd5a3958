// The APP argument of `run`: reads an app from a file or from a component.
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

/// Arguments for a component, from several sources; a later member overrides an earlier one.
struct ComponentArguments {
  /// Returns the defaults of a component from configuration files, as text by parameter; may be
  /// empty.
  std::function<StrDict(const std::string& component)> defaults;
  StrList words;                    ///< the words after the component's name
  std::vector<std::string> params;  ///< NAME=VALUE, from -P
  Dict<Value> values;               ///< from JSON

  bool empty() const { return words.empty() && params.empty() && values.empty(); }
};

/// An app and what its user left out.
struct LoadedApp {
  AppDef app;
  /// Fields of roles that a component takes from a parameter of the same name, which has its
  /// default: the user said nothing about them.
  StrList unsaid_fields;
  AppOrigin origin;
};

/// Reads and validates the app in `source`, and resolves its named resources. `source` is a path
/// that ends in .toml or .json, `-` for JSON on standard input, or a component. A file with one
/// component stands for that component. Returns nothing when the words ask for the component's
/// help, which it prints.
///
/// Throws InvalidApp with all problems of the app, Error kNotFound for an unknown file or
/// component, and kUsage when `arguments` do not fit the app.
std::optional<LoadedApp> load_app(Invocation& invocation, const std::string& source,
                                  const ComponentArguments& arguments);

/// Returns what `--sweep` varies by the component's file: the parameters of its own sweep that the
/// arguments' words do not set. Returns nothing when the words ask for the component's
/// help, which it prints. Throws as load_app().
std::optional<std::vector<components::SweptParam>> load_sweep(Invocation& invocation,
                                                              const std::string& source,
                                                              const ComponentArguments& arguments);

/// Prints a warning for each manifest and plug-in that cannot be used. A resource may be unknown
/// only because of one of them.
void warn_of_unusable_manifests(Invocation& invocation);

/// Both use the invocation's resource book, which must outlive the result.
spec::ResourceResolver resource_resolver(Invocation& invocation);
spec::ResourceNames resource_names(Invocation& invocation);

}  // namespace slipway::cli
