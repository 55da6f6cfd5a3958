/* slipway/abi/helpers.h - shorthands for plug-ins in C. They are not part of the binary contract:
 * each expands to what a plug-in could write itself. */
#ifndef SLIPWAY_ABI_HELPERS_H
#define SLIPWAY_ABI_HELPERS_H

#include "slipway/abi/plugin.h"

/* Initializes a slipway_str with a string literal. */
#define SLIPWAY_STR(literal) \
  { (literal), sizeof(literal) - 1 }

/* Initializes an absent slipway_str (R7). */
#define SLIPWAY_ABSENT \
  { NULL, 0 }

/* Initializes one element of an array of slipway_provider. `kind` is SLIPWAY_KIND_...; the three
 * texts are string literals. */
#define SLIPWAY_PROVIDER_ROW(kind, name, description, create)                                    \
  {                                                                                              \
    sizeof(slipway_provider), 0, SLIPWAY_STR(kind), SLIPWAY_STR(name), SLIPWAY_STR(description), \
        create                                                                                   \
  }

/* Defines the one symbol of a plug-in, at file scope. `id` and `version` are string literals, and
 * `providers` is an array of slipway_provider. `init` and `deinit` may be NULL. */
#define SLIPWAY_DEFINE_PLUGIN(id, version, init, deinit, providers) \
  SLIPWAY_EXPORT extern const slipway_plugin slipway_plugin_v1;     \
  const slipway_plugin slipway_plugin_v1 = {                        \
      SLIPWAY_PLUGIN_MAGIC,                                         \
      sizeof(slipway_plugin),                                       \
      SLIPWAY_ABI_MAJOR,                                            \
      SLIPWAY_ABI_MINOR,                                            \
      0, /* min_host_minor: any 1.x is sufficient */                \
      SLIPWAY_ABI_DRAFT,                                            \
      SLIPWAY_STR(id),                                              \
      SLIPWAY_STR(version),                                         \
      SLIPWAY_STR("C"),                                             \
      init,                                                         \
      deinit,                                                       \
      {providers, sizeof(providers) / sizeof(providers[0]), sizeof(slipway_provider)}}

#endif
