/* A count of providers, but no providers. */
#include "descriptor.h"

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          0,
                                          TEXT("org.example.broken_providers"),
                                          TEXT("1.0.0"),
                                          TEXT("test"),
                                          NULL,
                                          NULL,
                                          {NULL, 3, sizeof(slipway_provider)}};
