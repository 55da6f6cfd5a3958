/* A correct provider, for the descriptors of the C plug-ins of this folder. */
#ifndef SLIPWAY_TESTS_DESCRIPTOR_H
#define SLIPWAY_TESTS_DESCRIPTOR_H

#include "slipway/abi/helpers.h"
#include "slipway/abi/scheduler.h"

static slipway_status never_created(const slipway_host* host, const slipway_call* call,
                                    const slipway_create_args* args, void** out,
                                    slipway_error* err) {
  (void)host;
  (void)call;
  (void)args;
  (void)out;
  (void)err;
  return SLIPWAY_E_UNIMPLEMENTED;
}

static const slipway_provider one_scheduler[] = {
    {sizeof(slipway_provider), 0, SLIPWAY_STR(SLIPWAY_KIND_SCHEDULER), SLIPWAY_STR("good"),
     SLIPWAY_STR("does nothing"), never_created}};

#define ONE_SCHEDULER \
  { one_scheduler, 1, sizeof(slipway_provider) }

#endif
