// All components by name: those of plug-ins, and those of files.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/components/component.hpp"
#include "core/registry/plugin_host.hpp"

namespace slipway::components {

/// Looks components up. A plug-in is loaded when it is asked: the provider `utils` is asked first for
/// `utils.echo`, the others only when it does not have it. Of two components of one name that of the
/// first provider by precedence counts. Not for several threads at once; components that it returned
/// may outlive it, but not `host`.
class ComponentBook {
 public:
  /// `host` must outlive the book.
  explicit ComponentBook(registry::PluginHost& host) : host_(host) {}

  /// The component that `reference` means: `utils.echo`, `train.toml:ddp`, or `train.toml` with one
  /// component in it.
  ///
  /// Throws Error kNotFound with the nearest name, the plug-ins that could not be asked and the
  /// manifests that could not be read, or what file_component() throws.
  Component find(std::string_view reference);

  /// Every component of plug-ins, sorted by name.
  const std::map<std::string, Component, std::less<>>& all();

  /// Plug-ins that could not be asked, a message each.
  const std::vector<std::string>& unavailable() const { return unavailable_; }

 private:
  void ask(const std::string& provider);

  registry::PluginHost& host_;
  std::map<std::string, Component, std::less<>> known_;
  std::set<std::string, std::less<>> asked_;
  std::vector<std::string> unavailable_;
};

}  // namespace slipway::components
