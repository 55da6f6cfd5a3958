/* slipway/abi/named_resources.h - the interface "slipway.named_resources/1": resources by name. */
#ifndef SLIPWAY_ABI_NAMED_RESOURCES_H
#define SLIPWAY_ABI_NAMED_RESOURCES_H

#include "slipway/abi/app.h"
#include "slipway/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_KIND_NAMED_RESOURCES "slipway.named_resources/1"

typedef slipway_status (*slipway_on_named_resource)(void* ctx, slipway_str name,
                                                    const slipway_resource* resource);

typedef struct slipway_named_resources_vtbl slipway_named_resources_vtbl;

/* FROZEN; an implementation embeds it as its first member. */
typedef struct slipway_named_resources {
  const slipway_named_resources_vtbl* vtbl;
} slipway_named_resources;

struct slipway_named_resources_vtbl {
  uint32_t struct_size;
  uint32_t flags;

  /* [required] */
  void (*destroy)(slipway_named_resources* self);

  /* [required] Every resource of the provider, in the order in which people should see them. */
  slipway_status (*list)(slipway_named_resources* self, slipway_on_named_resource on_resource,
                         void* ctx, slipway_error* err);

  /* [optional] The one called `name`; no call back: there is none. NULL: the host searches the
   * list. */
  slipway_status (*get)(slipway_named_resources* self, slipway_str name,
                        slipway_on_named_resource on_resource, void* ctx, slipway_error* err);

  /* [optional] */
  const void* (*get_extension)(slipway_named_resources* self, slipway_str id);
};

#ifdef __cplusplus
}
#endif

#endif
