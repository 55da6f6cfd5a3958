// Named resources from everywhere: manifests and plug-ins.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry/plugin_host.hpp"
#include "slipway/app.hpp"

namespace slipway::resources {

/// Looks resources up by name. A resource written in a manifest wins over one of a plug-in; of several plug-ins the
/// first by precedence wins. A plug-in is loaded only when no manifest defines the name. Not for several threads at once.
class ResourceBook {
 public:
  /// `host` must outlive the book.
  explicit ResourceBook(registry::PluginHost& host) : host_(host) {}

  /// nullopt: nobody defines it. Throws Error when the manifest's definition is broken; a plug-in that cannot be loaded
  /// is passed over and remembered in unavailable().
  std::optional<Resource> find(std::string_view name);

  /// The same, but throws kNotFound, with a near name, when nobody defines it (TorchX: `get_named_resources`).
  Resource get(std::string_view name);

  /// Every known name, sorted; for "did you mean".
  std::vector<std::string> names();

  /// Plug-ins that could not be asked, a message each.
  const std::vector<std::string>& unavailable() const { return unavailable_; }

 private:
  const std::map<std::string, Resource, std::less<>>& provided();

  registry::PluginHost& host_;
  std::optional<std::map<std::string, Resource, std::less<>>> provided_;
  std::vector<std::string> unavailable_;
};

}  // namespace slipway::resources
