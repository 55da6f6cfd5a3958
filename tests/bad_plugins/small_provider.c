/* A provider of an SDK that is older than version 1.0. */
#include "descriptor.h"

static const slipway_provider kSmall[] = {
    {SLIPWAY_PROVIDER_1_0_SIZE - 8, 0, SLIPWAY_STR(SLIPWAY_KIND_SCHEDULER), SLIPWAY_STR("small"),
     SLIPWAY_STR("does nothing"), never_created}};

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          SLIPWAY_STR("org.example.small_provider"),
                                          SLIPWAY_STR("1.0.0"),
                                          SLIPWAY_STR("test"),
                                          NULL,
                                          NULL,
                                          {kSmall, 1, sizeof(slipway_provider)}};
