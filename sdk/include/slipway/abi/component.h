/* slipway/abi/component.h - the interface "slipway.component/1": named functions that make an app
 * from parameters. */
#ifndef SLIPWAY_ABI_COMPONENT_H
#define SLIPWAY_ABI_COMPONENT_H

#include "slipway/abi/app.h"
#include "slipway/abi/host.h"
#include "slipway/abi/options.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_KIND_COMPONENT "slipway.component/1"

/* One parameter. The types are those of run options. Only the last parameter may be variadic: it
 * takes the rest of the command line, and its value is a LIST. */
typedef struct slipway_component_param {
  uint32_t struct_size;
  int32_t type;
  slipway_str name;
  slipway_str short_name; /* one character, or absent */
  slipway_str help;
  const slipway_cfg_entry* default_value; /* NULL if the parameter has none */
  int32_t required;
  int32_t variadic;
} slipway_component_param;
#define SLIPWAY_COMPONENT_PARAM_1_0_SIZE 72
SLIPWAY_DEFINE_ARRAY(slipway_component_param_array, slipway_component_param);

/* One component with its parameters, in the order of the command line. */
typedef struct slipway_component_info {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str name; /* "utils.echo" */
  slipway_str help;
  slipway_component_param_array params;
} slipway_component_info;
#define SLIPWAY_COMPONENT_INFO_1_0_SIZE 64
typedef slipway_status (*slipway_on_component)(void* ctx, const slipway_component_info* info);

typedef struct slipway_components_vtbl slipway_components_vtbl;

/* FROZEN. An implementation embeds it as its first member. */
typedef struct slipway_components {
  const slipway_components_vtbl* vtbl;
} slipway_components;

struct slipway_components_vtbl {
  uint32_t struct_size;
  uint32_t flags;

  /* [required] Ends the object. */
  void (*destroy)(slipway_components* self);

  /* [required] Calls `on_component` for each component of the provider. */
  slipway_status (*list)(slipway_components* self, const slipway_call* call,
                         slipway_on_component on_component, void* ctx, slipway_error* err);

  /* [required] Makes the app of the component `name` and calls `on_app` once. `args` contains a
   * typed value for each parameter that was given or has a default. SLIPWAY_E_NOT_FOUND: no such
   * component. SLIPWAY_E_INVALID: the arguments contradict each other. */
  slipway_status (*build)(slipway_components* self, const slipway_call* call, slipway_str name,
                          const slipway_cfg* args, slipway_on_app_def on_app, void* ctx,
                          slipway_error* err);

  /* [optional] Returns an additional interface by its id ("name/1"), or NULL for an unknown id.
   * Valid until `destroy`. */
  const void* (*get_extension)(slipway_components* self, slipway_str id);
};
#define SLIPWAY_COMPONENTS_VTBL_1_0_SIZE 40

#ifdef __cplusplus
}
#endif

#endif
