// One value that one layer gives to one key, and where it stands.
#pragma once

#include <string>

#include "core/config/layer.hpp"
#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"

namespace slipway::config {

enum class Section {
  kCli,         ///< options of commands: `cli.run.scheduler`; of all commands: `cli.session`
  kScheduler,   ///< run options of a scheduler: `scheduler.local_cwd.log_dir`
  kComponent,   ///< defaults of a component's parameters: `component.utils.echo.msg`
  kPlugin,      ///< `enabled` and `config` of a plug-in: `plugins.org.example.slurm.enabled`
  kRunOptions,  ///< run options of whichever scheduler is used, `K=V,K2=V2`: `cfg`
};

/// The name that stands for every scheduler which declares the option: [scheduler."*"].
inline constexpr const char* kEveryScheduler = "*";

/// The setting of a scheduler that the host itself acts on: where the scheduler keeps its records.
inline constexpr const char* kStateDir = "state_dir";

/// What is set.
struct SettingKey {
  Section section = Section::kCli;
  /// Command ("plugin list" is `plugin.list`), scheduler or component; empty for what all commands
  /// share.
  std::string name;
  std::string option;  ///< long option without `--`, run option, parameter; empty for kRunOptions

  friend bool operator==(const SettingKey&, const SettingKey&) = default;
};

/// `cli.run.scheduler`; what `config explain` takes.
std::string to_string(const SettingKey& key);

/// How a value was written, which decides how it is read as a typed one.
enum class Notation {
  kToml,    ///< a typed value
  kTorchx,  ///< a text of .torchxconfig, read as TorchX reads it
  kText,    ///< a text of a variable or of the command line
};

struct Setting {
  SettingKey key;
  spec::Node value;  ///< a string for kTorchx and kText
  Notation notation = Notation::kToml;
  Layer layer = Layer::kDefault;
  /// The value's place in its file; for variables and flags their name, and no line.
  spec::Position where;
  std::string profile;  ///< the profile that it belongs to, or empty
  /// Why the value cannot be had, or empty. Only who needs the value complains: TorchX reads other
  /// sections of its file without looking at this one.
  std::string defect;
  bool locked = false;  ///< no other layer may say anything else: [site.locked]
  bool shared = false;  ///< written for every section of its file: [DEFAULT] of a .torchxconfig
};

/// A rule of the site about the values that a setting may have.
struct Limit {
  enum class Kind { kAllowed, kMinimum, kMaximum };
  Kind kind = Kind::kAllowed;
  SettingKey key;
  std::string entry;  ///< the key of the setting's table that the rule is about, or empty
  spec::Node value;   ///< kAllowed: a list; otherwise a number or a text
  spec::Position where;
};

/// Returns a problem (kConfig) about this setting.
spec::Problem problem_of(const Setting& setting, std::string message, std::string hint = {},
                         spec::Severity severity = spec::Severity::kError);

}  // namespace slipway::config
