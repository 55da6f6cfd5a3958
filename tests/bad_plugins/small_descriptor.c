/* Claims to be smaller than the descriptor of version 1.0. */
#include "descriptor.h"

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          48,
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          0,
                                          TEXT("org.example.small_descriptor"),
                                          TEXT("1.0.0"),
                                          TEXT("test"),
                                          NULL,
                                          NULL,
                                          ONE_SCHEDULER};
