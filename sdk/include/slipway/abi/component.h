/* slipway/abi/component.h - the interface "slipway.component/1": named functions from parameters to
 * an app. */
#ifndef SLIPWAY_ABI_COMPONENT_H
#define SLIPWAY_ABI_COMPONENT_H

#include "slipway/abi/app.h"
#include "slipway/abi/host.h"
#include "slipway/abi/options.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_KIND_COMPONENT "slipway.component/1"

/* One parameter; the types are those of run options. At most one, the last, is variadic: it takes
 * what is left of the command line and its value is a LIST. */
typedef struct slipway_component_param {
  uint32_t struct_size;
  int32_t type;
  slipway_str name;
  slipway_str short_name; /* one character, or absent */
  slipway_str help;
  const slipway_cfg_entry* default_value; /* NULL: none */
  int32_t required;
  int32_t variadic;
} slipway_component_param;
SLIPWAY_DEFINE_ARRAY(slipway_component_param_array, slipway_component_param);

typedef struct slipway_component_info {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str name; /* "utils.echo" */
  slipway_str help;
  slipway_component_param_array params;
} slipway_component_info;
typedef slipway_status (*slipway_on_component)(void* ctx, const slipway_component_info* info);

typedef struct slipway_components_vtbl slipway_components_vtbl;

/* FROZEN; an implementation embeds it as its first member. */
typedef struct slipway_components {
  const slipway_components_vtbl* vtbl;
} slipway_components;

struct slipway_components_vtbl {
  uint32_t struct_size;
  uint32_t flags;

  /* [required] */
  void (*destroy)(slipway_components* self);

  /* [required] The components of this provider. */
  slipway_status (*list)(slipway_components* self, slipway_on_component on_component, void* ctx,
                         slipway_error* err);

  /* [required] Builds the app. `args` holds a value for every parameter, typed, with defaults
   * filled in by the host. Calls `on_app` once. SLIPWAY_E_NOT_FOUND: no such component. */
  slipway_status (*build)(slipway_components* self, slipway_str name, const slipway_cfg* args,
                          slipway_on_app_def on_app, void* ctx, slipway_error* err);

  /* [optional] */
  const void* (*get_extension)(slipway_components* self, slipway_str id);
};

#ifdef __cplusplus
}
#endif

#endif
