/* Has no fault. Logs its start and its end, so that tests can count them. */
#include "descriptor.h"

static const slipway_host* the_host;

static void say(slipway_str what) { the_host->log(the_host, SLIPWAY_LOG_INFO, what); }

static slipway_status start(const slipway_host* host, slipway_error* err) {
  const slipway_str started = TEXT("started");
  (void)err;
  the_host = host;
  say(started);
  return SLIPWAY_OK;
}

static void finish(void) {
  const slipway_str finished = TEXT("finished");
  say(finished);
}

SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          0,
                                          TEXT("org.example.good"),
                                          TEXT("1.0.0"),
                                          TEXT("test"),
                                          start,
                                          finish,
                                          ONE_SCHEDULER};
