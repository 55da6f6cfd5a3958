/* slipway/abi/image_provider.h - the interface "slipway.image_provider/1": from an image's name to
 * files on this machine.
 *
 * A provider's name is also its URL scheme: an image `dir:///srv/x` belongs to the provider `dir`.
 * The functions are TorchX's ImageProvider, with `resolve` added so that a dry run needs no fetch,
 * and get_use_lock so that a provider can delete images that no app uses.
 *
 * The caller is a scheduler, which opened the provider with slipway.host.image_providers/1, or the
 * host. For each function: the inputs are valid until it returns, a callback receives the result
 * (R4), and of the pointers only `ctx`, `err` and the `cancel` of a call may be NULL. Calls on one
 * object never overlap. The functions may be called in any order, except that get_use_lock follows
 * `fetch` or fetch_role; several processes may fetch one image at the same time. Besides the
 * outcomes that a function names, each may return any error of base.h, and what a callback
 * returned. */
#ifndef SLIPWAY_ABI_IMAGE_PROVIDER_H
#define SLIPWAY_ABI_IMAGE_PROVIDER_H

#include "slipway/abi/app.h"
#include "slipway/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_KIND_IMAGE_PROVIDER "slipway.image_provider/1"

/* An image on this machine. */
typedef struct slipway_image {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str root;     /* the directory of its files, the value of ${img_root}; may be empty */
  slipway_kv_array env; /* of fetch_role: variables to add to the environment of the replicas */
} slipway_image;
#define SLIPWAY_IMAGE_1_0_SIZE 48
/* Receives an image, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_image)(void* ctx, const slipway_image* image);

/* The command of one replica. `args[0]` is the program. If `cwd` is absent, the replica starts in
 * the caller's working directory. */
typedef struct slipway_replica_param {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str_array args; /* the program and its arguments; at least one */
  slipway_kv_array env;   /* variables to add to the environment of the replica */
  slipway_str cwd;        /* its working directory, or absent */
} slipway_replica_param;
#define SLIPWAY_REPLICA_PARAM_1_0_SIZE 72
/* Receives a command, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_replica_param)(void* ctx, const slipway_replica_param* param);

typedef struct slipway_image_provider_vtbl slipway_image_provider_vtbl;

/* FROZEN. An implementation embeds it as its first member. */
typedef struct slipway_image_provider {
  const slipway_image_provider_vtbl* vtbl;
} slipway_image_provider;

struct slipway_image_provider_vtbl {
  uint32_t struct_size;
  uint32_t flags; /* none yet; unknown bits: see SLIPWAY_MUST_UNDERSTAND */

  /* [required] Ends the object. Images remain. */
  void (*destroy)(slipway_image_provider* self);

  /* [required] Calls `on_image` once with the place where the image's files are or will be, and
   * changes nothing. SLIPWAY_E_INVALID: no image can have this name. */
  slipway_status (*resolve)(slipway_image_provider* self, const slipway_call* call,
                            slipway_str image, slipway_on_image on_image, void* ctx,
                            slipway_error* err);

  /* [required] Makes the image's files available and calls `on_image` once, with the same `root` as
   * `resolve`. If they are available, does not make them again. May take minutes, and stops when
   * the call is cancelled. After an error, no part of the image looks complete.
   * SLIPWAY_E_NOT_FOUND: no such image. */
  slipway_status (*fetch)(slipway_image_provider* self, const slipway_call* call, slipway_str image,
                          slipway_on_image on_image, void* ctx, slipway_error* err);

  /* [optional] Does the same as `fetch`, for a role. If NULL, the caller fetches the role's image.
   */
  slipway_status (*fetch_role)(slipway_image_provider* self, const slipway_call* call,
                               const slipway_role* role, slipway_on_image on_image, void* ctx,
                               slipway_error* err);

  /* [optional] Calls `on_entrypoint` once with the program to start. If NULL, it is the role's
   * entrypoint. */
  slipway_status (*get_entrypoint)(slipway_image_provider* self, const slipway_call* call,
                                   slipway_str img_root, const slipway_role* role,
                                   slipway_on_str on_entrypoint, void* ctx, slipway_error* err);

  /* [optional] Calls `on_cwd` at most once, with the working directory of replicas of this image.
   * If NULL, or if it does not call `on_cwd`, they start in the caller's working directory. */
  slipway_status (*get_cwd)(slipway_image_provider* self, const slipway_call* call,
                            slipway_str image, slipway_on_str on_cwd, void* ctx,
                            slipway_error* err);

  /* [optional] Calls `on_param` once with the command of one replica of `role`. The caller has
   * replaced the macros of `role`. If NULL, the command is the entrypoint with the role's arguments
   * and environment, in the directory of get_cwd. */
  slipway_status (*get_replica_param)(slipway_image_provider* self, const slipway_call* call,
                                      slipway_str img_root, const slipway_role* role,
                                      slipway_on_replica_param on_param, void* ctx,
                                      slipway_error* err);

  /* [optional] Returns an additional interface by its id ("name/1"), or NULL for an unknown id. The
   * result is valid until `destroy`. */
  const void* (*get_extension)(slipway_image_provider* self, slipway_str id);

  /* [optional] Calls `on_path` at most once, with the absolute path of a lock file. The caller has
   * fetched the image, or a role with it. The provider deletes no files of the image while any
   * process holds a shared lock of flock(2) on the lock file. A scheduler holds the lock as long as
   * the app may run; the provider itself holds it from the fetch to `destroy`. If NULL, or if it
   * does not call `on_path`, the provider keeps the files even without a lock. */
  slipway_status (*get_use_lock)(slipway_image_provider* self, const slipway_call* call,
                                 slipway_str image, slipway_on_str on_path, void* ctx,
                                 slipway_error* err);
};
#define SLIPWAY_IMAGE_PROVIDER_VTBL_1_0_SIZE 80

#ifdef __cplusplus
}
#endif

#endif
