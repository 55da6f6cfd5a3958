/* A plug-in for a later major version. */
#include "descriptor.h"

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v2;
const slipway_plugin slipway_plugin_v2 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          2,
                                          0,
                                          0,
                                          0,
                                          TEXT("org.example.exports_v2"),
                                          TEXT("1.0.0"),
                                          TEXT("test"),
                                          NULL,
                                          NULL,
                                          ONE_SCHEDULER};
