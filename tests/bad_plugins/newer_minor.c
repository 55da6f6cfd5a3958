/* Needs functions that no host has: its own minor version and that of the host it needs are 99. */
#include "descriptor.h"

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          99,
                                          99,
                                          SLIPWAY_ABI_DRAFT,
                                          SLIPWAY_STR("org.example.newer_minor"),
                                          SLIPWAY_STR("1.0.0"),
                                          SLIPWAY_STR("test"),
                                          NULL,
                                          NULL,
                                          ONE_SCHEDULER};
