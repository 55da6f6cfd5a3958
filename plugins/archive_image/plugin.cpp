#include "slipway/plugin.hpp"

#include "plugins/archive_image/archive_images.hpp"

SLIPWAY_PLUGIN("org.slipway.archive_image", SLIPWAY_VERSION,
               SLIPWAY_PROVIDER(slipway::archive_image::ArchiveImages, "archive",
                                "tar and zip archives of this machine, unpacked once"))
