// Finds components of plug-ins and files by name.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/components/component.hpp"
#include "core/registry/plugin_host.hpp"

namespace slipway::components {

/// Looks up components and loads plug-ins when it needs them: for `utils.echo` it loads the
/// provider `utils` first, and the others only if `utils` has no such component. If several
/// providers have a component of that name, the provider with the highest precedence wins. Not
/// thread safe. The returned components may outlive the book, but not `host`.
class ComponentBook {
 public:
  /// `host` must outlive the book.
  explicit ComponentBook(registry::PluginHost& host) : host_(host) {}

  /// Returns the component that `reference` names: `utils.echo`, `train.toml:ddp`, or `train.toml`
  /// if the file has only one component.
  ///
  /// Throws Error(kNotFound) with the nearest name, the plug-ins that could not be loaded and the
  /// manifests that could not be read; also throws what component_from_file() throws.
  Component find(std::string_view reference);

  /// Returns every component of plug-ins, sorted by name.
  const std::map<std::string, Component, std::less<>>& all();

  /// Returns one message for each plug-in that could not list its components.
  const std::vector<std::string>& unavailable() const { return unavailable_; }

 private:
  void load_components(const std::string& provider);

  registry::PluginHost& host_;
  std::map<std::string, Component, std::less<>> known_;
  std::set<std::string, std::less<>> loaded_providers_;
  std::vector<std::string> unavailable_;
};

}  // namespace slipway::components
