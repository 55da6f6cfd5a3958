// All manifests of the search path together: what was found where, and what wins.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/registry/manifests/manifest.hpp"
#include "core/registry/manifests/search_path.hpp"
#include "core/registry/manifests/trust.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

/// [plugins."ID"] of the configuration, all layers together.
struct PluginSettings {
  /// false: the plug-in is not used, wherever its manifest stands. true takes back what a lower
  /// layer says; what a manifest disables stays disabled.
  std::optional<bool> enabled;
  spec::Position enabled_source;
  spec::Node config;      ///< a table, laid over [plugin.config]
  spec::Position source;  ///< of anything about the plug-in, for messages
};

/// By id.
using AllPluginSettings = std::map<std::string, PluginSettings, std::less<>>;

/// The result of reading every manifest once. The first entry of an id wins whole; files never
/// merge. Of two plug-ins that provide one name the earlier wins, except that a built-in (vendor)
/// name gives way only to `override = true`.
struct Index {
  /// A name in force: plugins[plugin].provides[provided].
  struct Name {
    std::size_t plugin = 0;
    std::size_t provided = 0;
  };

  std::vector<SearchEntry> searched;
  std::vector<PluginEntry> plugins;                         ///< in order of precedence
  std::vector<InlineResource> resources;                    ///< in order of precedence
  std::map<std::string, DeviceTable, std::less<>> devices;  ///< those in force
  std::map<std::pair<Group, std::string>, Name, std::less<>> names;
  /// The resources in force; the keys view strings in `resources`.
  std::unordered_map<std::string_view, std::size_t> resource_by_name;
  std::vector<spec::Problem> problems;

  Index() = default;
  Index(const Index&) = delete;  // resource_by_name points into resources
  Index& operator=(const Index&) = delete;

  /// Reads all manifests of `path` (see read_manifest_texts()) into this (empty) index. Nothing in
  /// them can make it throw. `settings` apply to every plug-in of their id; one without a plug-in
  /// is a warning if its id is nearly that of one.
  void read(std::vector<SearchEntry> path, const TrustPolicy& trust,
            const AllPluginSettings& settings);

  /// The same as far as it tells what `names` holds for `name` in any group: manifests that have no
  /// say in that are not parsed. Parsing is half of what a short command does. Everything else in
  /// the index, `problems` above all, is incomplete.
  void read_about(const std::string& name, std::vector<SearchEntry> path, const TrustPolicy& trust,
                  const AllPluginSettings& settings);

 private:
  void settle(std::vector<std::optional<Manifest>> manifests, const AllPluginSettings& settings);
};

}  // namespace slipway::registry
