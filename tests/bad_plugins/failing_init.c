/* Refuses to start, with a message. */
#include "descriptor.h"

static slipway_status refuse(const slipway_host* host, slipway_error* err) {
  const slipway_str message = TEXT("SLURM_CONF is not set");
  const slipway_str hint = TEXT("export SLURM_CONF=/etc/slurm/slurm.conf");
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
                                          0,
                                          TEXT("org.example.failing_init"),
                                          TEXT("1.0.0"),
                                          TEXT("test"),
                                          refuse,
                                          NULL,
                                          ONE_SCHEDULER};
