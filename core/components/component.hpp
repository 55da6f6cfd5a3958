// A component, wherever it comes from: what it takes, and the app that it makes.
#pragma once

#include <functional>
#include <string>

#include "core/spec/app_file.hpp"
#include "core/spec/resolve_resources.hpp"
#include "slipway/components.hpp"

namespace slipway::components {

struct Component {
  ComponentInfo info;  ///< its name is what `slipway run` takes: "utils.echo", "train.toml:ddp"
  std::string source;  ///< the plug-in's id, or the file

  /// The app for arguments that parse_arguments() made; validated, named resources resolved. Throws
  /// InvalidApp with all its problems, or what the plug-in says.
  std::function<spec::AppFile(const Cfg& args, const spec::ResourceResolver& resolver,
                              const spec::ResourceNames& names)>
      build;
};

}  // namespace slipway::components
