// The settings of all layers, and the lookup of those in force.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/setting.hpp"
#include "slipway/options.hpp"

namespace slipway::config {

/// The settings of all layers, with at most one profile applied. Immutable and thread-safe.
class Settings {
 public:
  Settings() = default;

  /// Sorts `all` by precedence. Within each layer, `all` must be ordered from the lowest precedence
  /// to the highest; the layers may be in any order.
  ///
  /// `cli.profile` of the highest layer selects the profile. The settings of the profile override
  /// those of the layer that selects it, and those of their own layer, but never variables and
  /// flags. Drops the settings of other profiles. Adds a problem for a profile that is not in
  /// `profiles`, with a similar name; for a `cli.profile` that is no string or belongs to a
  /// profile; and for each setting that differs from a locked one (locks.hpp).
  Settings(std::vector<Setting> all, const std::vector<std::string>& profiles,
           std::vector<Limit> limits, std::vector<spec::Problem>& problems);

  /// Returns these settings and those of an app file (Layer::kApp), which are ordered from the
  /// lowest precedence to the highest. Does not apply the locks: core/cli checks the final values.
  Settings with_app(std::vector<Setting> app_settings) const;

  /// Returns the name of the selected profile, or an empty text.
  const std::string& profile() const { return profile_; }
  /// Returns the limits of the site, which limits.hpp checks.
  const std::vector<Limit>& limits() const { return limits_; }

  /// Returns all settings, lowest precedence first.
  const std::vector<Setting>& in_order() const { return settings_; }
  /// Returns the settings of one scheduler, command or component, lowest precedence first. Here
  /// and below, a scheduler's name does not include [scheduler."*"], whose name is `*`. The
  /// pointers are valid for the lifetime of this object, like those of the following functions.
  std::vector<const Setting*> of(Section section, std::string_view name) const;
  /// Returns the setting in force, or nullptr.
  const Setting* find(const SettingKey& key) const;
  /// Returns all settings of this key, the one in force first.
  std::vector<const Setting*> layers_of(const SettingKey& key) const;
  /// Returns the setting in force of every key, sorted by section, name and option.
  std::vector<const Setting*> in_force() const;

  /// Returns the defaults of a component's parameters as argument_value() (argument_text.hpp) makes
  /// them. Throws InvalidApp (kConfig) with the problems that it adds.
  Dict<Value> component_defaults(std::string_view component) const;
  /// Returns the APP for `run` without an argument (`[cli.run] component`), or an empty text.
  /// Throws as component_defaults() does.
  std::string default_component() const;

 private:
  std::vector<Setting> settings_;
  std::string profile_;
  Layer profile_chosen_in_ = Layer::kDefault;
  std::vector<Limit> limits_;
};

}  // namespace slipway::config
