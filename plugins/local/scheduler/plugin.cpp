#include "slipway/plugin.hpp"

#include "plugins/local/scheduler/local_images.hpp"
#include "plugins/local/scheduler/local_scheduler.hpp"

SLIPWAY_PLUGIN(
    "org.slipway.local", SLIPWAY_VERSION,
    SLIPWAY_PROVIDER(slipway::local::LocalScheduler, "local",
                     "processes of this machine, where each role's image is"),
    SLIPWAY_PROVIDER(slipway::local::LocalScheduler, "local_cwd",
                     "processes of this machine, in the current directory"),
    SLIPWAY_PROVIDER(slipway::local::LocalScheduler, "local_dir",
                     "processes of this machine, in the directory that is the role's image"),
    SLIPWAY_PROVIDER(slipway::local::CwdImages, "cwd", "the current directory, whatever the image"),
    SLIPWAY_PROVIDER(slipway::local::DirImages, "dir", "directories of this machine"))
