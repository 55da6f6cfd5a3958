/* slipway/abi/plugin.h - the one symbol that a plug-in exports.
 *
 * The host reads the manifest, inspects the file without running it, loads it, and finds this DATA
 * symbol; magic and major are thus known before any code of the plug-in's author runs. A library is
 * loaded once and never unloaded.
 */
#ifndef SLIPWAY_ABI_PLUGIN_H
#define SLIPWAY_ABI_PLUGIN_H

#include "slipway/abi/base.h"
#include "slipway/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_PLUGIN_SYMBOL "slipway_plugin_v1"
#define SLIPWAY_PLUGIN_MAGIC 0x31505753u /* "SWP1" */

#if defined(_WIN32)
#define SLIPWAY_EXPORT __declspec(dllexport)
#else
#define SLIPWAY_EXPORT __attribute__((visibility("default")))
#endif

/* What is told to a provider when it is created; valid during the call. */
typedef struct slipway_create_args {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str entry; /* which of the plug-in's providers: the same `create` may serve several */
  /* What users call it. Differs from `entry` where a manifest gives another name. */
  slipway_str name;
  slipway_str session; /* the session that the object works for */
  /* A JSON object: [plugin.config] of the manifest with the host's overrides. Never absent. */
  slipway_str config_json;
} slipway_create_args;

/* One thing that a plug-in provides, e.g. kind "slipway.scheduler/1", name "local_cwd". */
typedef struct slipway_provider {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str kind;
  slipway_str name;
  slipway_str description; /* one line for people */
  /* Makes an object of the kind: `*out` is then a slipway_scheduler*, slipway_image_provider*, ...
   * whose `destroy` ends it. May be called more than once; the objects are independent. On error
   * `*out` is not touched. */
  slipway_status (*create)(const slipway_host* host, const slipway_create_args* args, void** out,
                           slipway_error* err);
} slipway_provider;
SLIPWAY_DEFINE_ARRAY(slipway_provider_array, slipway_provider);

/* `magic`, `struct_size` and the four numbers after them never move, in any major version. */
typedef struct slipway_plugin {
  uint32_t magic;
  uint32_t struct_size;
  uint16_t abi_major;
  uint16_t abi_minor;      /* of the headers it was built with */
  uint16_t min_host_minor; /* what it NEEDS, which is usually less */
  uint16_t reserved0;
  slipway_str id; /* "org.example.slurm": the identity that manifests and configuration go by */
  slipway_str version; /* "1.2.0" */
  slipway_str build;   /* compiler and SDK, for bug reports */
  /* Called before any create, possibly more than once; count if that matters. May be NULL. */
  slipway_status (*init)(const slipway_host* host, slipway_error* err);
  /* Called once for each successful init before the process ends. May be NULL. */
  void (*deinit)(void);
  slipway_provider_array providers;
} slipway_plugin;

#ifdef __cplusplus
}
#endif

#endif
