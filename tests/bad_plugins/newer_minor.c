/* Needs functions that no host has. */
#include "descriptor.h"

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          99,
                                          99,
                                          0,
                                          TEXT("org.example.newer_minor"),
                                          TEXT("1.0.0"),
                                          TEXT("test"),
                                          NULL,
                                          NULL,
                                          ONE_SCHEDULER};
