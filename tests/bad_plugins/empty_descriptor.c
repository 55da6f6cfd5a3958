/* Loads, but has an empty descriptor. */
#include "descriptor.h"

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          0,
                                          TEXT("empty_descriptor"),
                                          TEXT("1.0.0"),
                                          TEXT("test"),
                                          NULL,
                                          NULL,
                                          {NULL, 0, sizeof(slipway_provider)}};
