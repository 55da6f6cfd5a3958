// Has a static variable of an inline function with default visibility. The loader gives one object
// of that name to all libraries in the process, so that two plug-ins share it.
#include "slipway/abi/plugin.h"
#include "slipway/abi/scheduler.h"

inline int& calls_of_this_plugin() {
  static int calls = 0;
  return calls;
}

static slipway_status create(const slipway_host*, const slipway_call*, const slipway_create_args*,
                             void**, slipway_error*) {
  ++calls_of_this_plugin();
  return SLIPWAY_E_UNIMPLEMENTED;
}

static const slipway_provider kProvider = {
    sizeof(slipway_provider),
    0,
    {SLIPWAY_KIND_SCHEDULER, sizeof(SLIPWAY_KIND_SCHEDULER) - 1},
    {"clashing", 8},
    {"shares a static variable", 24},
    &create};

extern "C" SLIPWAY_EXPORT const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          {"org.example.clashing_static", 27},
                                          {"1.0.0", 5},
                                          {"test", 4},
                                          nullptr,
                                          nullptr,
                                          {&kProvider, 1, sizeof(slipway_provider)}};
