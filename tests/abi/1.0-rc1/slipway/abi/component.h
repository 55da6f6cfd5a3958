/* slipway/abi/component.h - the interface "slipway.component/1": named functions that make an app
 * from parameters.
 *
 * A component belongs to the plug-in, or to a source file that the user names and the provider
 * reads. Making an app has no side effects, because a dry run also makes it.
 *
 * For each function: the inputs are valid until it returns, a callback receives the results (R4),
 * and of the pointers only `ctx`, `err` and the `cancel` of a call may be NULL. Calls on one object
 * never overlap; the functions may be called in any order, any number of times and in any process.
 * Besides the outcomes that a function names, each may return any error of base.h, and what a
 * callback returned. */
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
 * takes all remaining words of the command line, and its value is a LIST. */
typedef struct slipway_component_param {
  uint32_t struct_size;
  int32_t type;           /* SLIPWAY_TYPE_*, but not NONE */
  slipway_str name;       /* as on the command line: --name */
  slipway_str short_name; /* one character, or absent */
  slipway_str help;       /* for people, or absent */
  /* The default, or NULL if there is none. Has the type `type`; the host ignores its `key`. Valid
   * as long as the parameter. */
  const slipway_cfg_entry* default_value;
  int32_t required; /* nonzero: the user must give a value; then there is no default */
  int32_t variadic; /* nonzero: takes all remaining words of the command line */
} slipway_component_param;
#define SLIPWAY_COMPONENT_PARAM_1_0_SIZE 72
SLIPWAY_DEFINE_ARRAY(slipway_component_param_array, slipway_component_param);

/* One component. */
typedef struct slipway_component_info {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str name;                     /* "utils.echo"; in a source file: "trainer" */
  slipway_str help;                     /* for people, or absent */
  slipway_component_param_array params; /* in the order of the command line */
} slipway_component_info;
#define SLIPWAY_COMPONENT_INFO_1_0_SIZE 64
/* Receives a component, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_component)(void* ctx, const slipway_component_info* info);

/* Selects components. */
typedef struct slipway_component_query {
  uint32_t struct_size;
  uint32_t reserved0;
  /* The absolute path of a source file, which the host has not opened. Its name ends in an
   * extension that the provider's manifest lists in `component_files`. Absent: components without a
   * file. */
  slipway_str file;
  /* The component's name, in `file` if there is one. Absent: all components. */
  slipway_str name;
} slipway_component_query;
#define SLIPWAY_COMPONENT_QUERY_1_0_SIZE 40

/* The component to build, and its arguments. */
typedef struct slipway_component_order {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str file; /* as in slipway_component_query */
  slipway_str name; /* the name that `list` delivered */
  /* A typed value for each parameter that was given or has a default. Never NULL. */
  const slipway_cfg* args;
} slipway_component_order;
#define SLIPWAY_COMPONENT_ORDER_1_0_SIZE 48

/* One mistake in a source file. */
typedef struct slipway_component_problem {
  uint32_t struct_size;
  uint32_t reserved0;
  uint32_t line;       /* from 1; 0: the whole file */
  uint32_t column;     /* from 1, in bytes; 0: the whole line */
  slipway_str message; /* what is wrong, without the place */
  slipway_str hint;    /* what the author can do, or absent */
} slipway_component_problem;
#define SLIPWAY_COMPONENT_PROBLEM_1_0_SIZE 48
/* Receives a mistake, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_component_problem)(void* ctx,
                                                       const slipway_component_problem* problem);

typedef struct slipway_components_vtbl slipway_components_vtbl;

/* FROZEN. An implementation embeds it as its first member. */
typedef struct slipway_components {
  const slipway_components_vtbl* vtbl;
} slipway_components;

struct slipway_components_vtbl {
  uint32_t struct_size;
  uint32_t flags; /* none yet; unknown bits: see SLIPWAY_MUST_UNDERSTAND */

  /* [required] Ends the object. */
  void (*destroy)(slipway_components* self);

  /* [required] Calls `on_component` for the components that `query` selects; it may also call it
   * for others of the provider, or of the file. An unknown name is no error. `query` is never NULL.
   * A provider without `component_files` in its manifest never gets a file.
   * SLIPWAY_E_NOT_FOUND: no such file. SLIPWAY_E_INVALID: the file, or the component `query->name`,
   * cannot be used; the message names the line. */
  slipway_status (*list)(slipway_components* self, const slipway_call* call,
                         const slipway_component_query* query, slipway_on_component on_component,
                         void* ctx, slipway_error* err);

  /* [required] Makes the app of a component and calls `on_app` once. `order` is never NULL.
   * SLIPWAY_E_NOT_FOUND: no such file, or no such component. SLIPWAY_E_INVALID: the arguments
   * contradict each other, or the file cannot be used. */
  slipway_status (*build)(slipway_components* self, const slipway_call* call,
                          const slipway_component_order* order, slipway_on_app_def on_app,
                          void* ctx, slipway_error* err);

  /* [optional] Calls `on_problem` for each mistake in the file of `query`, in the order of the
   * file; only those that concern the component `query->name` if there is one. Mistakes are no
   * error of this function. SLIPWAY_E_NOT_FOUND: no such file, or no such component. */
  slipway_status (*check)(slipway_components* self, const slipway_call* call,
                          const slipway_component_query* query,
                          slipway_on_component_problem on_problem, void* ctx, slipway_error* err);

  /* [optional] Returns an additional interface by its id ("name/1"), or NULL for an unknown id. The
   * result is valid until `destroy`. */
  const void* (*get_extension)(slipway_components* self, slipway_str id);
};
#define SLIPWAY_COMPONENTS_VTBL_1_0_SIZE 48

#ifdef __cplusplus
}
#endif

#endif
