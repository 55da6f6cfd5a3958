// All manifests of the search path together: every entry with its place, and the entries in force.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/registry/manifests/manifest.hpp"
#include "core/registry/manifests/manifest_texts.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

/// The host's configuration of one plug-in: [plugins."ID"], all layers merged.
struct PluginSettings {
  /// false disables the plug-in, even a built-in (vendor) one. true overrides `false` of a lower
  /// layer, but does not enable a plug-in that its manifest disables.
  std::optional<bool> enabled;
  spec::Position enabled_source;
  spec::Node config;      ///< a table; its values replace those of [plugin.config]
  spec::Position source;  ///< place of one of the settings, for messages
};

/// The settings of all plug-ins, by id.
using AllPluginSettings = std::map<std::string, PluginSettings, std::less<>>;

/// The content of all manifests. Of several entries with one id, the first is in force; entries are
/// never merged. Of several plug-ins that provide one name, the first is in force, except that only
/// a plug-in with `override = true` replaces a built-in (vendor) one that has no error.
struct Index {
  /// The provider behind a name: plugins[plugin].provides[provided].
  struct Name {
    std::size_t plugin = 0;
    std::size_t provided = 0;
  };

  std::vector<PluginEntry> plugins;  ///< in order of precedence
  /// In order of precedence. With a vector, which moves its elements whenever it grows, a dry run
  /// with 5,000 resources takes 1.25 times as long.
  std::deque<InlineResource> resources;
  std::map<std::string, DeviceTable, std::less<>> devices;           ///< in force, by name
  std::map<std::pair<Group, std::string>, Name, std::less<>> names;  ///< in force
  /// The resources in force, as places in `resources`; the keys view strings in it.
  std::unordered_map<std::string_view, std::size_t> resource_by_name;
  std::vector<spec::Problem> problems;

  Index() = default;
  Index(const Index&) = delete;  // resource_by_name views strings in resources
  Index& operator=(const Index&) = delete;

  /// Parses all manifests into this index, which must be empty. Applies `settings` to every plug-in
  /// of their id. Adds to `problems`, instead of throwing, all mistakes in manifests, and warnings
  /// about names that two plug-ins provide and about settings for an unknown id that resembles a
  /// known one.
  void parse(const std::vector<ManifestText>& texts, const AllPluginSettings& settings);

  /// Does the same, but parses only manifests that can affect the entries of `names` with `name`.
  /// Only these entries are complete afterwards; `problems` and everything else are not.
  ///
  /// Measured with `slipway runopts local_cwd`: with parse(), the command takes 1.04 times the
  /// processor time that it takes with this function if there are 8 manifests, 1.41 times with 100,
  /// and 2.35 times with 1,000 (medians of 300 pairs, the last of 75). `list` and a dry run of an
  /// app file gain as much. A command that needs all names, such as `run` with a component, gains
  /// nothing.
  void parse_about(const std::string& name, const std::vector<ManifestText>& texts,
                   const AllPluginSettings& settings);

 private:
  /// Decides which entries are in force, once the manifests are appended.
  void complete(const AllPluginSettings& settings);
};

}  // namespace slipway::registry
