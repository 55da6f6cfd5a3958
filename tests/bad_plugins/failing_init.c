/* Refuses to start, with a message. */
#include "descriptor.h"

static slipway_status refuse(const slipway_host* host, slipway_error* err) {
  const slipway_str message = SLIPWAY_STR("SLURM_CONF is not set");
  const slipway_str hint = SLIPWAY_STR("export SLURM_CONF=/etc/slurm/slurm.conf");
  const slipway_str nothing = {NULL, 0};
  host->error_set(err, SLIPWAY_E_PRECONDITION, message, hint, nothing);
  return SLIPWAY_E_PRECONDITION;
}

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          SLIPWAY_STR("org.example.failing_init"),
                                          SLIPWAY_STR("1.0.0"),
                                          SLIPWAY_STR("test"),
                                          refuse,
                                          NULL,
                                          ONE_SCHEDULER};
