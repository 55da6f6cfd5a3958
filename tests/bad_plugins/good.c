/* Has no fault. Logs its start and its end, so that tests can count them. */
#include "descriptor.h"

static const slipway_host* the_host;

static void say(slipway_str what) { the_host->log(the_host, SLIPWAY_LOG_INFO, what); }

static slipway_status start(const slipway_host* host, slipway_error* err) {
  const slipway_str started = SLIPWAY_STR("started");
  (void)err;
  the_host = host;
  say(started);
  return SLIPWAY_OK;
}

static void finish(void) {
  const slipway_str finished = SLIPWAY_STR("finished");
  say(finished);
}

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          SLIPWAY_STR("org.example.good"),
                                          SLIPWAY_STR("1.0.0"),
                                          SLIPWAY_STR("test"),
                                          start,
                                          finish,
                                          ONE_SCHEDULER};
