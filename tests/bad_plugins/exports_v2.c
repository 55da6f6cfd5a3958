/* A plug-in for a later major version. */
#include "descriptor.h"

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v2;
const slipway_plugin slipway_plugin_v2 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          2,
                                          0,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          SLIPWAY_STR("org.example.exports_v2"),
                                          SLIPWAY_STR("1.0.0"),
                                          SLIPWAY_STR("test"),
                                          NULL,
                                          NULL,
                                          ONE_SCHEDULER};
