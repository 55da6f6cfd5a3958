/* slipway/abi/plugin.h - the one symbol that a plug-in exports.
 *
 * The host reads the manifest, inspects the library's file, loads it, and reads this DATA symbol.
 * So it knows the magic number and the version before it calls a function of the plug-in. The host
 * loads a library once and never unloads it. */
#ifndef SLIPWAY_ABI_PLUGIN_H
#define SLIPWAY_ABI_PLUGIN_H

#include "slipway/abi/base.h"
#include "slipway/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The name of the symbol, a slipway_plugin, and the value of its field `magic`. helpers.h defines
 * the symbol for plug-ins in C, slipway/plugin.hpp for those in C++. */
#define SLIPWAY_PLUGIN_SYMBOL "slipway_plugin_v1"
#define SLIPWAY_PLUGIN_MAGIC 0x31505753u /* "SWP1" */

/* Exports the symbol. A plug-in hides all other symbols (-fvisibility=hidden, a version script). */
#define SLIPWAY_EXPORT __attribute__((visibility("default")))

/* The arguments for the creation of an object, valid during the call. */
typedef struct slipway_create_args {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str entry; /* the provider's `name`; several providers may share one `create` */
  /* The name for users. Differs from `entry` if the manifest sets another name. */
  slipway_str name;
  /* The session of the apps that a scheduler submits, describes and cancels; for the other kinds it
   * has no meaning. Follows the rules for the name of a role (app.h). */
  slipway_str session;
  /* [plugin.config] of the manifest, overridden key by key by [plugins."ID"] of the host's
   * configuration files, and these by the provider's own `config` in the manifest. A JSON object,
   * never absent. The conformance kit also passes other texts, which `create` refuses or ignores.
   */
  slipway_str config_json;
} slipway_create_args;
#define SLIPWAY_CREATE_ARGS_1_0_SIZE 72

/* One provider of a plug-in, such as kind "slipway.scheduler/1" and name "local_cwd". */
typedef struct slipway_provider {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str kind;        /* SLIPWAY_KIND_*; a host ignores kinds that it does not know */
  slipway_str name;        /* unique in the kind; by convention only a-z, 0-9, '_' and '-' */
  slipway_str description; /* one line for users */
  /* [required] Creates an object of the kind and sets `*out` to a slipway_scheduler*,
   * slipway_image_provider*, ..., which the host owns and ends with its `destroy`. May be called
   * several times; the objects are independent. Returns SLIPWAY_OK or an error; after an error
   * `*out` is unchanged. Should not contact an engine: some commands create an object only to read
   * its run options.
   * SLIPWAY_E_CONFIG: `config_json` has an unknown key or an invalid value. */
  slipway_status (*create)(const slipway_host* host, const slipway_call* call,
                           const slipway_create_args* args, void** out, slipway_error* err);
} slipway_provider;
#define SLIPWAY_PROVIDER_1_0_SIZE 64
SLIPWAY_DEFINE_ARRAY(slipway_provider_array, slipway_provider);

/* The descriptor of a plug-in. `magic`, `struct_size` and the four numbers after them have the same
 * place in every major version. */
typedef struct slipway_plugin {
  uint32_t magic;
  uint32_t struct_size;
  uint16_t abi_major;      /* SLIPWAY_ABI_MAJOR of the headers that built the plug-in */
  uint16_t abi_minor;      /* SLIPWAY_ABI_MINOR of those headers */
  uint16_t min_host_minor; /* the smallest minor version of a host that can run it */
  uint16_t draft;          /* SLIPWAY_ABI_DRAFT of those headers */
  slipway_str id;          /* "org.example.slurm", the name in manifests and configuration */
  slipway_str version;     /* "1.2.0" */
  slipway_str build;       /* compiler and SDK, for bug reports */
  /* [optional] Initialises the plug-in. Called before any `create`, and possibly several times.
   * Returns SLIPWAY_OK or an error, after which the host does not use the plug-in. `host` is valid
   * until the process ends. Waits for nothing and starts no thread. */
  slipway_status (*init)(const slipway_host* host, slipway_error* err);
  /* [optional] Called once for each successful `init`, after the host has destroyed all objects.
   * Not called in each process: slipway makes some calls, such as `list`, in child processes that
   * it ends with _exit. */
  void (*deinit)(void);
  slipway_provider_array providers; /* the manifest lists the same ones */
} slipway_plugin;
#define SLIPWAY_PLUGIN_1_0_SIZE 104

#ifdef __cplusplus
}
#endif

#endif
