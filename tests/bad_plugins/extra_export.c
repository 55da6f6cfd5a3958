/* Exports another function beside the descriptor. */
#include "descriptor.h"

SLIPWAY_EXPORT int some_function_that_others_could_bind_to(void);
int some_function_that_others_could_bind_to(void) { return 1; }

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          SLIPWAY_STR("org.example.extra_export"),
                                          SLIPWAY_STR("1.0.0"),
                                          SLIPWAY_STR("test"),
                                          NULL,
                                          NULL,
                                          ONE_SCHEDULER};
