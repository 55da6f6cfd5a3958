/* slipway/abi/workspace.h - the interface "slipway.workspace/1": makes an image from a user's
 * workspace.
 *
 * A provider's name is also its URL scheme: the provider `git` handles the workspace
 * `git:///srv/x`, and `dir` handles paths. Later changes of the workspace must not affect the
 * image, so that a queued app runs the files that were submitted.
 *
 * For each function: the inputs are valid until it returns, a callback receives the result (R4),
 * and of the pointers only `ctx`, `err` and the `cancel` of a call may be NULL. Calls on one object
 * never overlap; the functions may be called in any order and from any process. Besides the
 * outcomes that a function names, each may return any error of base.h, and what a callback
 * returned. */
#ifndef SLIPWAY_ABI_WORKSPACE_H
#define SLIPWAY_ABI_WORKSPACE_H

#include "slipway/abi/base.h"
#include "slipway/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_KIND_WORKSPACE "slipway.workspace/1"

/* The image to make. `directory` is an absolute path that need not exist; `name` is a file name
 * that is unique in it. A provider whose images are not on this machine may ignore both. */
typedef struct slipway_workspace_order {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str source;    /* an absolute path, or a URL with the provider's scheme */
  slipway_str directory; /* the directory for the image */
  slipway_str name;      /* the name of the image in `directory` */
} slipway_workspace_order;
#define SLIPWAY_WORKSPACE_ORDER_1_0_SIZE 56

/* The image that was made, or that `build` would make. */
typedef struct slipway_workspace_result {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str image; /* the image for the roles of the app */
  int64_t files;     /* number of files in the image, or -1 if unknown */
  int64_t bytes;     /* total size of the files, or -1 if unknown */
} slipway_workspace_result;
#define SLIPWAY_WORKSPACE_RESULT_1_0_SIZE 40
/* Receives a result, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_workspace)(void* ctx, const slipway_workspace_result* result);

typedef struct slipway_workspace_vtbl slipway_workspace_vtbl;

/* FROZEN. An implementation embeds it as its first member. */
typedef struct slipway_workspace {
  const slipway_workspace_vtbl* vtbl;
} slipway_workspace;

struct slipway_workspace_vtbl {
  uint32_t struct_size;
  uint32_t flags; /* none yet; unknown bits: see SLIPWAY_MUST_UNDERSTAND */

  /* [required] Ends the object. Images remain. */
  void (*destroy)(slipway_workspace* self);

  /* [required] Calls `on_result` once with the image that `build` would make, without side effects.
   * SLIPWAY_E_NOT_FOUND: the workspace does not exist. SLIPWAY_E_INVALID: the source is not a
   * workspace. */
  slipway_status (*plan)(slipway_workspace* self, const slipway_call* call,
                         const slipway_workspace_order* order, slipway_on_workspace on_result,
                         void* ctx, slipway_error* err);

  /* [required] Makes the image and calls `on_result` once, with the same `image` as `plan`. The
   * image appears under its name only when it is complete. Stops when the call is cancelled. After
   * an error, no part of it remains. Has the errors of `plan`.
   * SLIPWAY_E_EXISTS: the name is already in use. */
  slipway_status (*build)(slipway_workspace* self, const slipway_call* call,
                          const slipway_workspace_order* order, slipway_on_workspace on_result,
                          void* ctx, slipway_error* err);

  /* [optional] Deletes `image`, which `build` made and no app uses. A missing image, or one that
   * `build` did not make, is left unchanged and is no error. */
  slipway_status (*discard)(slipway_workspace* self, const slipway_call* call, slipway_str image,
                            slipway_error* err);

  /* [optional] Returns an additional interface by its id ("name/1"), or NULL for an unknown id. The
   * result is valid until `destroy`. */
  const void* (*get_extension)(slipway_workspace* self, slipway_str id);
};
#define SLIPWAY_WORKSPACE_VTBL_1_0_SIZE 48

#ifdef __cplusplus
}
#endif

#endif
