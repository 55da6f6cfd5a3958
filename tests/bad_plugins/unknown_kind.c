/* Has no fault. Slipway does not know the kind of its provider, and must not read the object. */
#include <stdlib.h>

#include "slipway/abi/helpers.h"
#include "slipway/abi/plugin.h"

static slipway_status make_dashboard(const slipway_host* host, const slipway_call* call,
                                     const slipway_create_args* args, void** out,
                                     slipway_error* err) {
  (void)host;
  (void)call;
  (void)args;
  (void)err;
  *out = calloc(1, 24);
  return SLIPWAY_OK;
}

static const slipway_provider kBoard[] = {
    {sizeof(slipway_provider), 0, SLIPWAY_STR("com.acme.dashboard/1"), SLIPWAY_STR("board"),
     SLIPWAY_STR("shows apps"), make_dashboard}};

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          SLIPWAY_STR("org.example.board"),
                                          SLIPWAY_STR("1.0.0"),
                                          SLIPWAY_STR("test"),
                                          NULL,
                                          NULL,
                                          {kBoard, 1, sizeof(slipway_provider)}};
