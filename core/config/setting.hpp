// One setting: a key, its value, and the layer and place that it comes from.
#pragma once

#include <string>
#include <vector>

#include "core/spec/app_file.hpp"
#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"

namespace slipway::config {

/// The origin of a setting, from lowest to highest. A setting of a higher layer overrides those of
/// lower ones.
enum class Layer {
  kDefault,       ///< built in
  kSite,          ///< /etc/slipway/config.toml
  kUser,          ///< $XDG_CONFIG_HOME/slipway/config.toml, else ~/.config/slipway/config.toml
  kTorchx,        ///< .torchxconfig
  kProject,       ///< the nearest slipway.toml
  kApp,           ///< [options.SCHEDULER] of the app file
  kVariableFile,  ///< the file that SLIPWAY_CONFIG names
  kFlagFile,      ///< the file that --config names
  kVariable,      ///< a SLIPWAY_* variable
  kFlag,          ///< an option of the command line
};

/// Returns the name in JSON and tables: "default", "site", "user", "torchx", "project", "app",
/// "env_file", "flag_file", "env" or "flag".
const char* to_string(Layer layer);

/// The top-level table of a setting.
enum class Section {
  kCli,         ///< options of commands: `cli.run.scheduler`; of all commands: `cli.session`
  kScheduler,   ///< run options of a scheduler: `scheduler.local_cwd.log_dir`
  kComponent,   ///< defaults of a component's parameters: `component.utils.echo.msg`
  kPlugin,      ///< `enabled` of a plug-in, and each key of its configuration:
                ///< `plugins.org.example.slurm.config.timeout_s`
  kTracker,     ///< text for a tracker of TorchX: `tracker.fsspec.config`
  kRunOptions,  ///< run options of the scheduler that is used, `K=V,K2=V2`: `cfg`
};

using spec::kEveryScheduler;  // [scheduler."*"]

/// The setting of a scheduler that the host uses itself: the directory for the scheduler's state.
inline constexpr const char* kStateDir = "state_dir";

/// The key of a setting.
struct SettingKey {
  Section section = Section::kCli;
  /// A command (`plugin.list` for "plugin list"), scheduler, component, plug-in or tracker; empty
  /// for the options of all commands and for kRunOptions.
  std::string name;
  /// A long option without `--`, a run option or a parameter; `enabled`, or `config` and its keys
  /// as TOML writes them; empty for kRunOptions.
  std::string option;

  friend bool operator==(const SettingKey&, const SettingKey&) = default;
};

/// The default scheduler of `run`: the only option of a command that the site can limit.
inline const SettingKey kSchedulerOfRun{Section::kCli, "run", "scheduler"};

/// Returns the key as a text for `config explain`: `cli.run.scheduler`.
std::string to_string(const SettingKey& key);

/// The notation of a value, which determines its conversion to a type.
enum class Notation {
  kToml,    ///< a typed value
  kTorchx,  ///< a text of .torchxconfig, with TorchX's conversions
  kText,    ///< a text of a variable or of the command line
};

struct Setting {
  SettingKey key;
  /// A string for kTorchx and kText, but a bool for a switch of the command line.
  spec::Node value;
  Notation notation = Notation::kToml;
  Layer layer = Layer::kDefault;
  /// The value's place in its file; for a variable or flag, its name without a line.
  spec::Position where;
  /// The keys below `config`, the outermost first, for a value of a plug-in's configuration.
  std::vector<std::string> config_path;
  std::string profile;  ///< the profile that contains the setting, or empty
  /// The reason why the value is unusable, or empty. Only a command that needs the value reports
  /// it, because TorchX accepts such values in sections that it does not use.
  std::string defect;
  bool locked = false;  ///< from [site.locked]: no other layer may set another value
  bool shared = false;  ///< from [DEFAULT] of a .torchxconfig: belongs to every section of its file
};

/// Returns the configuration of a plug-in that contains this value alone: { tls = { port = 1 } }.
spec::Node plugin_config_of(const Setting& setting);

/// Returns whether the configuration of a plug-in can contain only one of the two values, because
/// one is at a key whose table contains the other: `a = 1` and `a.b = 2`.
bool exclude_each_other(const Setting& one, const Setting& other);

/// A rule of the site that limits the values of a setting.
struct Limit {
  enum class Kind { kAllowed, kMinimum, kMaximum };
  Kind kind = Kind::kAllowed;
  SettingKey key;
  std::string table_key;  ///< the key that the rule limits if the setting is a table, or empty
  spec::Node value;       ///< a list for kAllowed; otherwise a number or a text
  spec::Position where;
};

/// Returns a problem about this setting: kInvalid for a setting of an app file, otherwise kConfig.
spec::Problem problem_of(const Setting& setting, std::string message, std::string hint = {},
                         spec::Severity severity = spec::Severity::kError);

}  // namespace slipway::config
