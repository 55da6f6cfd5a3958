// All settings of all layers, and which of them are in force.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/config_file.hpp"
#include "core/config/setting.hpp"
#include "slipway/dict.hpp"

namespace slipway::config {

/// What the layers say, with one profile chosen or none. Immutable; safe for several threads.
class Settings {
 public:
  Settings() = default;

  /// `all` from the lowest precedence to the highest within each layer; the layers in any order.
  ///
  /// The profile is what `cli.profile` says, by its highest layer. Its settings count as if they
  /// stood where it was chosen, above that layer's own, though never lower than where they stand
  /// and never above variables and flags: files stay below those. Settings of other profiles are
  /// dropped. A profile that no file has is a problem, with a near name. So is anything that says
  /// something else than what the site locks (locks.hpp).
  Settings(std::vector<Setting> all, const std::vector<ProfileName>& profiles,
           std::vector<Limit> limits, std::vector<spec::Problem>& problems);

  const std::string& profile() const { return profile_; }
  /// Returns what the site allows; the functions of limits.hpp compare values with it.
  const std::vector<Limit>& limits() const { return limits_; }

  /// Everything that counts, lowest precedence first.
  const std::vector<Setting>& in_order() const { return settings_; }
  /// Those of one scheduler, command or component, lowest precedence first. Pointers live as long
  /// as these settings.
  std::vector<const Setting*> of(Section section, std::string_view name) const;
  /// The one in force, or nullptr.
  const Setting* find(const SettingKey& key) const;
  /// All that set this key, the one in force first.
  std::vector<const Setting*> layers_of(const SettingKey& key) const;
  /// The one in force of every key that is set, sorted by section, name and option.
  std::vector<const Setting*> in_force() const;

  /// Defaults of a component's parameters, as texts that its arguments are parsed from: lists as
  /// `a,b`, tables as `k=v,k2=v2`, booleans as `true` and `false`. Throws InvalidApp (kConfig) for
  /// values that have no such text.
  StrDict component_defaults(std::string_view component) const;
  /// What `run` runs when no APP is given (`[cli.run] component`), or nothing. Throws as above.
  std::string default_component() const;

 private:
  std::vector<Setting> settings_;
  std::string profile_;
  std::vector<Limit> limits_;
};

}  // namespace slipway::config
