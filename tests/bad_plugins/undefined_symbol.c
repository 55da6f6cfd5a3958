/* Calls a function that no library has. */
#include "descriptor.h"

slipway_status function_of_a_library_that_was_not_linked(void);

static slipway_status call_it(const slipway_host* host, slipway_error* err) {
  (void)host;
  (void)err;
  return function_of_a_library_that_was_not_linked();
}

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          SLIPWAY_STR("org.example.undefined_symbol"),
                                          SLIPWAY_STR("1.0.0"),
                                          SLIPWAY_STR("test"),
                                          call_it,
                                          NULL,
                                          ONE_SCHEDULER};
