/* slipway/abi/active_apps.h - a scheduler's optional ability "slipway.scheduler.active_apps/1": it
 * lists the apps that have not ended without asking for those that have.
 *
 * The host finds the ability through slipway_scheduler_vtbl.get_extension, and uses it when it
 * shows active apps only. NULL means that slipway_scheduler_vtbl.list is as fast. A plug-in that
 * was built before this header existed answers NULL. */
#ifndef SLIPWAY_ABI_ACTIVE_APPS_H
#define SLIPWAY_ABI_ACTIVE_APPS_H

#include "slipway/abi/scheduler.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_SCHEDULER_ACTIVE_APPS "slipway.scheduler.active_apps/1"

/* The table must live as long as the scheduler that returned it. */
typedef struct slipway_scheduler_active_apps {
  uint32_t struct_size;
  uint32_t reserved0;

  /* [required in this table] Lists apps like slipway_scheduler_vtbl.list, with the same items,
   * order, thread rule and outcomes. It must deliver every app of this user that has not ended; it
   * may leave out any app that has ended. */
  slipway_status (*list)(slipway_scheduler* self, const slipway_call* call,
                         slipway_on_list_item on_item, void* ctx, slipway_error* err);
} slipway_scheduler_active_apps;

#ifdef __cplusplus
}
#endif

#endif
