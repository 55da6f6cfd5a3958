/* slipway/abi/named_resources.h - the interface "slipway.named_resources/1": resources that app
 * files refer to by name.
 *
 * For each function: the inputs are valid until it returns, a callback receives the results (R4),
 * and of the pointers only `ctx`, `err` and the `cancel` of a call may be NULL. Calls on one object
 * never overlap; the functions may be called in any order and any number of times. Besides the
 * outcomes that a function names, each may return any error of base.h, and what a callback
 * returned. */
#ifndef SLIPWAY_ABI_NAMED_RESOURCES_H
#define SLIPWAY_ABI_NAMED_RESOURCES_H

#include "slipway/abi/app.h"
#include "slipway/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_KIND_NAMED_RESOURCES "slipway.named_resources/1"

/* One resource and its name. */
typedef struct slipway_named_resource {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str name;                 /* "gpu.small"; unique in the provider */
  const slipway_resource* resource; /* never NULL */
} slipway_named_resource;
#define SLIPWAY_NAMED_RESOURCE_1_0_SIZE 32
/* Receives a resource, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_named_resource)(void* ctx,
                                                    const slipway_named_resource* resource);

typedef struct slipway_named_resources_vtbl slipway_named_resources_vtbl;

/* FROZEN. An implementation embeds it as its first member. */
typedef struct slipway_named_resources {
  const slipway_named_resources_vtbl* vtbl;
} slipway_named_resources;

struct slipway_named_resources_vtbl {
  uint32_t struct_size;
  uint32_t flags; /* none yet; unknown bits: see SLIPWAY_MUST_UNDERSTAND */

  /* [required] Ends the object. */
  void (*destroy)(slipway_named_resources* self);

  /* [required] Calls `on_resource` for each resource of the provider, in the order for users. */
  slipway_status (*list)(slipway_named_resources* self, const slipway_call* call,
                         slipway_on_named_resource on_resource, void* ctx, slipway_error* err);

  /* [optional] Calls `on_resource` once with the resource `name`. For an unknown name, returns
   * SLIPWAY_OK without a callback. If NULL, the host searches the list. */
  slipway_status (*get)(slipway_named_resources* self, const slipway_call* call, slipway_str name,
                        slipway_on_named_resource on_resource, void* ctx, slipway_error* err);

  /* [optional] Returns an additional interface by its id ("name/1"), or NULL for an unknown id. The
   * result is valid until `destroy`. */
  const void* (*get_extension)(slipway_named_resources* self, slipway_str id);
};
#define SLIPWAY_NAMED_RESOURCES_VTBL_1_0_SIZE 40

#ifdef __cplusplus
}
#endif

#endif
