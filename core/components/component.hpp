// A component of a file or a plug-in: its parameters and the function that builds the app.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/components/sweep_values.hpp"
#include "core/spec/app_file.hpp"
#include "core/spec/resolve_resources.hpp"
#include "slipway/components.hpp"

namespace slipway::components {

struct Component {
  /// `info.name` is what a user passes to `slipway run`: "utils.echo", "a.toml:ddp".
  ComponentInfo info;
  std::string source;             ///< the plug-in's id, or the file's path
  std::vector<SweptParam> sweep;  ///< parameters that `--sweep` varies; empty for a plug-in

  /// Returns the validated app for arguments from parse_arguments(), with its named resources
  /// resolved: those of a file by `resolver` and `names`, those of a plug-in's component by the
  /// plug-in itself. Throws InvalidApp with all problems, or the plug-in's error.
  std::function<spec::AppFile(const Cfg& args, const spec::ResourceResolver& resolver,
                              const spec::ResourceNames& names)>
      build;
};

}  // namespace slipway::components
