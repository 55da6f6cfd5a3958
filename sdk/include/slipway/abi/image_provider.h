/* slipway/abi/image_provider.h - the interface "slipway.image_provider/1": from an image's name to
 * files on this host.
 *
 * A provider's name is also its URL scheme: an image `dir:///srv/x` is the provider `dir`'s. The
 * functions are TorchX's ImageProvider, with `resolve` added so that a dry run needs no fetch.
 */
#ifndef SLIPWAY_ABI_IMAGE_PROVIDER_H
#define SLIPWAY_ABI_IMAGE_PROVIDER_H

#include "slipway/abi/app.h"
#include "slipway/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_KIND_IMAGE_PROVIDER "slipway.image_provider/1"

/* The command of one replica: `args[0]` is the program. `cwd` absent: the caller's working
 * directory. */
typedef struct slipway_replica_param {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str_array args;
  slipway_kv_array env;
  slipway_str cwd;
} slipway_replica_param;
typedef slipway_status (*slipway_on_replica_param)(void* ctx, const slipway_replica_param* param);

typedef struct slipway_image_provider_vtbl slipway_image_provider_vtbl;

/* FROZEN; an implementation embeds it as its first member. */
typedef struct slipway_image_provider {
  const slipway_image_provider_vtbl* vtbl;
} slipway_image_provider;

struct slipway_image_provider_vtbl {
  uint32_t struct_size;
  uint32_t flags;

  /* [required] */
  void (*destroy)(slipway_image_provider* self);

  /* [required] Where the image's files are, or will be once fetched, without changing anything.
   * Calls `on_root` once with the value of ${img_root}; it may be empty. SLIPWAY_E_INVALID for an
   * image that cannot be. */
  slipway_status (*resolve)(slipway_image_provider* self, const slipway_call* call,
                            slipway_str image, slipway_on_str on_root, void* ctx,
                            slipway_error* err);

  /* [required] Makes the image's files available and calls `on_root` once with their place, as
   * resolve said. */
  slipway_status (*fetch)(slipway_image_provider* self, const slipway_call* call, slipway_str image,
                          slipway_on_str on_root, void* ctx, slipway_error* err);

  /* [optional] As fetch, for a role, with variables to add to its environment. NULL: fetch of the
   * role's image. */
  slipway_status (*fetch_role)(slipway_image_provider* self, const slipway_call* call,
                               const slipway_role* role, slipway_on_str on_root,
                               slipway_on_kv on_env, void* ctx, slipway_error* err);

  /* [optional] The program to start. NULL: the role's entrypoint as it stands. */
  slipway_status (*get_entrypoint)(slipway_image_provider* self, slipway_str img_root,
                                   const slipway_role* role, slipway_on_str on_entrypoint,
                                   void* ctx, slipway_error* err);

  /* [optional] The working directory of replicas of this image; no call back: the caller's own. */
  slipway_status (*get_cwd)(slipway_image_provider* self, slipway_str image, slipway_on_str on_cwd,
                            void* ctx, slipway_error* err);

  /* [optional] The whole command of one replica of `role`, whose macros are already replaced. NULL:
   * the entrypoint and the role's args, the role's env, and get_cwd. */
  slipway_status (*get_replica_param)(slipway_image_provider* self, slipway_str img_root,
                                      const slipway_role* role, slipway_on_replica_param on_param,
                                      void* ctx, slipway_error* err);

  /* [optional] */
  const void* (*get_extension)(slipway_image_provider* self, slipway_str id);

  /* [optional] Asked after fetch, calls `on_path` at most once with the absolute path of a file: as
   * long as anybody holds it locked, shared, by flock(2), the provider leaves the image's files
   * where they are. A scheduler has it held for as long as the app may run; the provider itself
   * holds it from fetch until `destroy`. No call back, or NULL: the files stay anyway. */
  slipway_status (*get_use_lock)(slipway_image_provider* self, const slipway_call* call,
                                 slipway_str image, slipway_on_str on_path, void* ctx,
                                 slipway_error* err);
};

#ifdef __cplusplus
}
#endif

#endif
