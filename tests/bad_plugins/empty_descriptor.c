/* Loads, but has no provider, and an id without a dot. */
#include "descriptor.h"

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          SLIPWAY_STR("empty_descriptor"),
                                          SLIPWAY_STR("1.0.0"),
                                          SLIPWAY_STR("test"),
                                          NULL,
                                          NULL,
                                          {NULL, 0, sizeof(slipway_provider)}};
