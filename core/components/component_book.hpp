// Finds components of plug-ins and files by name.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/components/component.hpp"
#include "core/components/component_reference.hpp"
#include "core/registry/plugin_host.hpp"

namespace slipway::components {

/// Whether ComponentBook also searches modules, such as Python's, for a name without a dot or
/// colon. Such a name may be that of a program.
enum class PlainNames { kAlsoInModules, kNotInModules };

/// Looks up components and loads plug-ins when it needs them: for `utils.echo` it loads the
/// provider `utils` first, and the others only if `utils` has no such component. If several other
/// providers have a component of that name, one that claims files wins, then the one that comes
/// first in the order of precedence. Not thread safe. The returned components may outlive the book,
/// but not `host`.
class ComponentBook {
 public:
  /// `host` must outlive the book.
  explicit ComponentBook(registry::PluginHost& host) : host_(host) {}

  /// Returns the component that `reference` names: `utils.echo`, `train.toml:ddp`, or `train.toml`
  /// if the file has only one component. A provider that claims files (`component_files`) also
  /// finds components of `train.py` and of modules; `plain_names` decides whether that includes
  /// names without a dot or colon.
  ///
  /// Throws Error(kNotFound) with the nearest name, the plug-ins that could not be loaded and the
  /// manifests that could not be read; also throws what component_from_file() and the provider of
  /// such a file or module throw. If such a provider cannot search modules (kPrecondition, for
  /// example without Python), throws its error instead for a name that has a dot or colon and
  /// resembles no other component's.
  Component find(std::string_view reference, PlainNames plain_names = PlainNames::kAlsoInModules);

  /// Splits `text` into file and name if a provider claims the file's extension. Otherwise, and for
  /// files that Slipway reads itself, `file` is empty.
  ComponentReference parse_source_file(std::string_view text);
  /// Returns the claimed extensions with their dot: ".py".
  std::vector<std::string> source_endings();
  /// Returns all components of a file with a claimed extension. Throws what the provider throws.
  std::vector<ComponentInfo> components_of_file(const std::string& file);
  /// Returns the mistakes in such a file or, unless `name` is empty, only those of this component.
  /// Throws kNotFound if there is no such file or component.
  std::vector<ComponentProblem> check_file(const std::string& file, const std::string& name);

  /// Returns every component of plug-ins, sorted by name.
  const std::map<std::string, Component, std::less<>>& all();

  /// Returns a message for each provider that could not list its components or search modules,
  /// except those whose plug-in crashed or did not answer: the host has logged these.
  const std::vector<std::string>& unavailable() const { return unavailable_; }
  /// Returns one message for each component that all() omits because one of another plug-in has the
  /// same name. Two providers of the same plug-in may list one component without a message.
  const std::vector<std::string>& shadowed() const { return shadowed_; }

 private:
  void add(const std::string& provider, Component component);
  /// Adds a message about a provider to unavailable_, unless it is there already.
  void add_unavailable(const std::string& provider, const Error& error);
  /// Adds the components of one provider to known_, and keeps its plug-in loaded to build them.
  void load_components(const std::string& provider);
  /// Adds the components of several providers to known_. Asks them with ask_each() of `host_`.
  void load_all(const std::vector<std::string>& providers);
  /// Returns the providers that claim files, in order of precedence.
  std::vector<registry::Provider> claimants();
  registry::Provider provider_of_file(std::string_view file);
  Component find_in_file(const ComponentReference& wanted);
  /// Finds a component of a module. Adds the names of the module's other components to `others`. If
  /// a provider cannot search (kPrecondition), sets `failure` to its error.
  std::optional<Component> find_in_modules(std::string_view reference, StrList& others,
                                           std::optional<Error>& failure);

  registry::PluginHost& host_;
  std::map<std::string, Component, std::less<>> known_;  ///< components of plug-ins, by name
  std::set<std::string, std::less<>> loaded_providers_;  ///< also those that failed to load
  std::vector<std::string> unavailable_;
  std::vector<std::string> shadowed_;
};

}  // namespace slipway::components
