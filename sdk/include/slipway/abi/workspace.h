/* slipway/abi/workspace.h - the interface "slipway.workspace/1": from a directory that somebody
 * works in to an image.
 *
 * A provider's name is also its URL scheme: a workspace `git:///srv/x` is the provider `git`'s, one
 * without a scheme is `dir`'s. What is made of a workspace does not change when the workspace does:
 * a queued app runs what was submitted.
 */
#ifndef SLIPWAY_ABI_WORKSPACE_H
#define SLIPWAY_ABI_WORKSPACE_H

#include "slipway/abi/base.h"
#include "slipway/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_KIND_WORKSPACE "slipway.workspace/1"

/* What is to be made. `directory` is absolute and need not exist; `name` is one name, unique in it.
 * A provider whose images are no files of this machine may use neither. */
typedef struct slipway_workspace_order {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str source;    /* absolute path, or a URL of the provider's own */
  slipway_str directory; /* where it goes */
  slipway_str name;      /* what it is called there */
} slipway_workspace_order;

/* What was made, or would be. */
typedef struct slipway_workspace_result {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str image; /* what roles get as their image */
  int64_t files;     /* how many belong to it; -1: not known */
  int64_t bytes;     /* their sizes together; -1: not known */
} slipway_workspace_result;
typedef slipway_status (*slipway_on_workspace)(void* ctx, const slipway_workspace_result* result);

typedef struct slipway_workspace_vtbl slipway_workspace_vtbl;

/* FROZEN; an implementation embeds it as its first member. */
typedef struct slipway_workspace {
  const slipway_workspace_vtbl* vtbl;
} slipway_workspace;

struct slipway_workspace_vtbl {
  uint32_t struct_size;
  uint32_t flags;

  /* [required] */
  void (*destroy)(slipway_workspace* self);

  /* [required] What build would make, without changing anything. Calls `on_result` once.
   * SLIPWAY_E_NOT_FOUND: there is no such workspace; SLIPWAY_E_INVALID: it is none. */
  slipway_status (*plan)(slipway_workspace* self, const slipway_call* call,
                         const slipway_workspace_order* order, slipway_on_workspace on_result,
                         void* ctx, slipway_error* err);

  /* [required] Makes it and calls `on_result` once, with the image that plan said. All of it or
   * nothing: on error nothing is left behind, and nobody ever sees a part of it under its name.
   * SLIPWAY_E_EXISTS: the name is taken. */
  slipway_status (*build)(slipway_workspace* self, const slipway_call* call,
                          const slipway_workspace_order* order, slipway_on_workspace on_result,
                          void* ctx, slipway_error* err);

  /* [optional] Takes back what build made as `image`, which nobody uses. What is not there, and
   * what build did not make, is left alone, and no error. */
  slipway_status (*discard)(slipway_workspace* self, const slipway_call* call, slipway_str image,
                            slipway_error* err);

  /* [optional] An additional interface by its id ("name/1"), NULL when unknown; lives as long as
   * `self`. */
  const void* (*get_extension)(slipway_workspace* self, slipway_str id);
};

#ifdef __cplusplus
}
#endif

#endif
