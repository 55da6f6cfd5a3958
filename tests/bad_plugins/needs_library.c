/* Needs a library that the loader does not find, because the build gives this one no path to it. */
#include "descriptor.h"

int function_of_the_missing_library(void);

static slipway_status call_it(const slipway_host* host, slipway_error* err) {
  (void)host;
  (void)err;
  return function_of_the_missing_library();
}

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          SLIPWAY_STR("org.example.needs_library"),
                                          SLIPWAY_STR("1.0.0"),
                                          SLIPWAY_STR("test"),
                                          call_it,
                                          NULL,
                                          ONE_SCHEDULER};
