#include "slipway/plugin.hpp"

#include "plugins/dir_workspace/dir_workspace.hpp"

SLIPWAY_PLUGIN("org.slipway.dir_workspace", SLIPWAY_VERSION,
               SLIPWAY_PROVIDER(slipway::dir_workspace::DirWorkspace, "dir",
                                "copies of directories"),
               SLIPWAY_PROVIDER(slipway::dir_workspace::DirWorkspace, "file",
                                "the same, by the scheme of URLs"))
