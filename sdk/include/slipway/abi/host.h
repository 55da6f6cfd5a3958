/* slipway/abi/host.h - the functions and services that the host offers to plug-ins.
 *
 * `host` and `self` are the slipway_host that the plug-in got; of the pointers only `ctx`, `err`
 * and `cancel` may be NULL. Inputs are valid until the function returns, results until the callback
 * returns (R4). A plug-in calls functions without [any thread] in the thread of the host's current
 * call, with the slipway_call of that call if they take one. They may wait, and return
 * SLIPWAY_E_CANCELLED when that call is cancelled. For a service that this host does not have,
 * get_extension returns NULL; a plug-in that needs the service returns SLIPWAY_E_UNIMPLEMENTED with
 * a message. */
#ifndef SLIPWAY_ABI_HOST_H
#define SLIPWAY_ABI_HOST_H

#include "slipway/abi/app.h"
#include "slipway/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Levels of log messages. */
enum {
  SLIPWAY_LOG_TRACE = 0,
  SLIPWAY_LOG_DEBUG = 1,
  SLIPWAY_LOG_INFO = 2,
  SLIPWAY_LOG_WARNING = 3,
  SLIPWAY_LOG_ERROR = 4
};

typedef struct slipway_host slipway_host;

/* The host's table for one plug-in, valid from `init` until the process ends. The functions in it
 * exist in every host; those of a later version are checked with SLIPWAY_HAS. */
struct slipway_host {
  uint32_t struct_size;
  uint32_t abi_minor;  /* the host supports versions 1.0 to 1.abi_minor */
  slipway_str name;    /* "slipway", also in programs that use its library; for bug reports */
  slipway_str version; /* its version; not for decisions */
  void* ctx;           /* for the host only */

  /* [any thread] Writes a message to the host's log, at a level SLIPWAY_LOG_*. The host adds the
   * plug-in's id. A plug-in must not write to stdout or stderr, nor use a logging library that has
   * global state. */
  void (*log)(const slipway_host* self, int32_t level, slipway_str message);

  /* Sets the reason for the current call's failure; if called again, replaces it. `err` is the
   * argument of the failing function; if it is NULL, nothing happens. Afterwards the plug-in
   * returns `code`. The host copies all strings. `message` says for users what failed and why,
   * without a full stop. `hint` tells users what to do; `detail_json` is a JSON object for
   * programs, which find it in `slipway --json` as `details` of the error; both may be absent. */
  void (*error_set)(slipway_error* err, slipway_status code, slipway_str message, slipway_str hint,
                    slipway_str detail_json);

  /* [any thread] Returns nonzero if the host has asked the call to stop. Returns 0 if `cancel` is
   * NULL. */
  int32_t (*cancel_requested)(const slipway_cancel* cancel);

  /* [any thread] Returns a descriptor for poll() that is readable if cancel_requested returns
   * nonzero, or -1 if `cancel` is NULL. The host owns it; the plug-in must neither read nor close
   * it. */
  int32_t (*cancel_fd)(const slipway_cancel* cancel);

  /* [any thread] Returns an optional service by its id ("name/1", with its revision), or NULL if
   * this host does not have it. The result points to the struct that is documented with the id, and
   * is valid until the process ends. */
  const void* (*get_extension)(const slipway_host* self, slipway_str id);
};
#define SLIPWAY_HOST_1_0_SIZE 88

/* ---- slipway.host.state_dir/1 ---------------------------------------------------------------- */

#define SLIPWAY_HOST_STATE_DIR "slipway.host.state_dir/1"

/* The directory for files that must outlive the process: `$XDG_STATE_HOME/slipway`, by default
 * `~/.local/state/slipway`, or the one that the user configured for the scheduler. The host creates
 * it and its parents, with mode 0700, before it calls `schedule`. It may be missing if the host
 * cannot create it, and before other calls. A plug-in creates a directory of its own in it. A dry
 * run creates nothing. */
typedef struct slipway_host_state_dir {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [any thread] Calls `on_path` once with the absolute path. Creates nothing.
   * SLIPWAY_E_PRECONDITION: the user has no home directory. */
  slipway_status (*path)(const slipway_host* host, slipway_on_str on_path, void* ctx,
                         slipway_error* err);
} slipway_host_state_dir;
#define SLIPWAY_HOST_STATE_DIR_1_0_SIZE 16

/* ---- slipway.host.image_providers/1 ---------------------------------------------------------- */

#define SLIPWAY_HOST_IMAGE_PROVIDERS "slipway.host.image_providers/1"

struct slipway_image_provider;

/* Gives a scheduler access to the image providers of all plug-ins. */
typedef struct slipway_host_image_providers {
  uint32_t struct_size;
  uint32_t reserved0;
  /* Opens the image provider `name`. If `name` contains "://", it is an image, and its scheme names
   * the provider. The caller uses `*out` until `close`, and must not destroy it. May load a
   * library. SLIPWAY_E_NOT_FOUND: no plug-in has this provider; the message lists the known ones.
   */
  slipway_status (*open)(const slipway_host* host, const slipway_call* call, slipway_str name,
                         struct slipway_image_provider** out, slipway_error* err);
  /* Closes an image provider that `open` returned. The caller must call it before the plug-in's
   * object that opened the provider ends, or in that object's `destroy`. */
  void (*close)(const slipway_host* host, struct slipway_image_provider* provider);
} slipway_host_image_providers;
#define SLIPWAY_HOST_IMAGE_PROVIDERS_1_0_SIZE 24

/* ---- slipway.host.named_resources/1 ---------------------------------------------------------- */

#define SLIPWAY_HOST_NAMED_RESOURCES "slipway.host.named_resources/1"

/* Receives a resource, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_resource)(void* ctx, const slipway_resource* resource);

/* The named resources of all manifests and plug-ins, such as `gpu.small`. */
typedef struct slipway_host_named_resources {
  uint32_t struct_size;
  uint32_t reserved0;
  /* Calls `on_resource` once with the resource `name`. May load libraries. SLIPWAY_E_NOT_FOUND: the
   * resource is unknown; the hint has a similar name, if there is one. */
  slipway_status (*find)(const slipway_host* host, const slipway_call* call, slipway_str name,
                         slipway_on_resource on_resource, void* ctx, slipway_error* err);
} slipway_host_named_resources;
#define SLIPWAY_HOST_NAMED_RESOURCES_1_0_SIZE 16

#ifdef __cplusplus
}
#endif

#endif
