/* Refuses to start without a message. */
#include "descriptor.h"

static slipway_status refuse(const slipway_host* host, slipway_error* err) {
  (void)host;
  (void)err;
  return SLIPWAY_E_UNAVAILABLE;
}

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          SLIPWAY_STR("org.example.silent_init"),
                                          SLIPWAY_STR("1.0.0"),
                                          SLIPWAY_STR("test"),
                                          refuse,
                                          NULL,
                                          ONE_SCHEDULER};
