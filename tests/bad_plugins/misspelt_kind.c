/* Its provider has a kind that begins with "slipway." and that Slipway does not define. */
#include "descriptor.h"

static const slipway_provider kMisspelt[] = {
    {sizeof(slipway_provider), 0, SLIPWAY_STR("slipway.schedular/1"), SLIPWAY_STR("good"),
     SLIPWAY_STR("does nothing"), never_created}};

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          SLIPWAY_STR("org.example.misspelt"),
                                          SLIPWAY_STR("1.0.0"),
                                          SLIPWAY_STR("test"),
                                          NULL,
                                          NULL,
                                          {kMisspelt, 1, sizeof(slipway_provider)}};
