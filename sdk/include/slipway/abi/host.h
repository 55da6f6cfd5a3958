/* slipway/abi/host.h - what the host offers to a plug-in. */
#ifndef SLIPWAY_ABI_HOST_H
#define SLIPWAY_ABI_HOST_H

#include "slipway/abi/app.h"
#include "slipway/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SLIPWAY_LOG_TRACE = 0,
  SLIPWAY_LOG_DEBUG = 1,
  SLIPWAY_LOG_INFO = 2,
  SLIPWAY_LOG_WARNING = 3,
  SLIPWAY_LOG_ERROR = 4
};

typedef struct slipway_host slipway_host;

/* The host's table, one object per plug-in, valid from init until the process ends. */
struct slipway_host {
  uint32_t struct_size;
  uint32_t abi_minor; /* the host speaks 1.0 ... 1.abi_minor */
  slipway_str name;
  slipway_str version;
  void* ctx; /* the host's own */

  /* [any thread] Writes one message to the host's log. The plug-in's id is added by the host. A
   * plug-in never writes to stdout or stderr itself, and brings no logging library of its own into
   * the process. */
  void (*log)(const slipway_host* self, int32_t level, slipway_str message);

  /* Records why the current call fails; the host copies everything. `err` is what the failing
   * function was given and may be NULL (the host does not want to know). `hint` says what to do and
   * may be absent; `detail_json` is for programs and may be absent. */
  void (*error_set)(slipway_error* err, slipway_status code, slipway_str message, slipway_str hint,
                    slipway_str detail_json);

  /* [any thread] Nonzero once the host has asked for the call to stop. `cancel` may be NULL (never
   * cancelled). */
  int32_t (*cancel_requested)(const slipway_cancel* cancel);

  /* [any thread] A descriptor for poll() that becomes readable when cancel_requested would say yes;
   * -1 when there is none. Neither read nor close it. */
  int32_t (*cancel_fd)(const slipway_cancel* cancel);

  /* [any thread] An optional service by its id, NULL when this host lacks it. Ids carry a revision
   * ("name/1"); what is returned is the struct documented with the id and lives as long as the
   * host. */
  const void* (*get_extension)(const slipway_host* self, slipway_str id);
};

/* ---- slipway.host.state_dir/1 ---------------------------------------------------------------- */

#define SLIPWAY_HOST_STATE_DIR "slipway.host.state_dir/1"

/* Where a plug-in keeps what must outlive the process: `$XDG_STATE_HOME/slipway`, by default
 * `~/.local/state/slipway`. The plug-in makes its own directory below it, 0700. */
typedef struct slipway_host_state_dir {
  uint32_t struct_size;
  uint32_t reserved0;
  /* Calls `on_path` once with the absolute path; nothing is created. SLIPWAY_E_PRECONDITION when
   * there is no home. */
  slipway_status (*path)(const slipway_host* host, slipway_on_str on_path, void* ctx,
                         slipway_error* err);
} slipway_host_state_dir;

/* ---- slipway.host.image_providers/1 ---------------------------------------------------------- */

#define SLIPWAY_HOST_IMAGE_PROVIDERS "slipway.host.image_providers/1"

struct slipway_image_provider;

/* Lets a scheduler use an image provider of any plug-in. */
typedef struct slipway_host_image_providers {
  uint32_t struct_size;
  uint32_t reserved0;
  /* Opens the provider called `name`, or, where `name` holds "://", the one whose name is the
   * scheme before it. The object is the caller's until `close`. SLIPWAY_E_NOT_FOUND when no plug-in
   * provides it; the message lists those that there are. May load a library. */
  slipway_status (*open)(const slipway_host* host, slipway_str name,
                         struct slipway_image_provider** out, slipway_error* err);
  void (*close)(const slipway_host* host, struct slipway_image_provider* provider);
} slipway_host_image_providers;

/* ---- slipway.host.named_resources/1 ---------------------------------------------------------- */

#define SLIPWAY_HOST_NAMED_RESOURCES "slipway.host.named_resources/1"

typedef slipway_status (*slipway_on_resource)(void* ctx, const slipway_resource* resource);

/* What users call `gpu.small`, from manifests and from any plug-in. */
typedef struct slipway_host_named_resources {
  uint32_t struct_size;
  uint32_t reserved0;
  /* Calls `on_resource` once with the resource called `name`. SLIPWAY_E_NOT_FOUND when nobody
   * defines it; the hint names a near one. May load libraries. */
  slipway_status (*find)(const slipway_host* host, slipway_str name,
                         slipway_on_resource on_resource, void* ctx, slipway_error* err);
} slipway_host_named_resources;

#ifdef __cplusplus
}
#endif

#endif
