/* slipway/abi/image_cache.h - the optional ability "slipway.image_provider.cache/1" of an image
 * provider that keeps images on this machine: lists unused images and removes them.
 *
 * The host gets the table from slipway_image_provider_vtbl.get_extension. If that returns NULL, as
 * in all plug-ins that are older than this header, or a function returns SLIPWAY_E_UNIMPLEMENTED,
 * the provider has no images that the host can remove. */
#ifndef SLIPWAY_ABI_IMAGE_CACHE_H
#define SLIPWAY_ABI_IMAGE_CACHE_H

#include "slipway/abi/image_provider.h"
#include "slipway/abi/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_IMAGE_PROVIDER_CACHE "slipway.image_provider.cache/1"

/* An image that the provider keeps and no process uses. */
typedef struct slipway_unused_image {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str root;        /* the directory of its files, as `fetch` delivered it; never absent */
  int64_t last_used_at_ns; /* its last use that the provider noticed, or SLIPWAY_TIME_UNSET */
} slipway_unused_image;
#define SLIPWAY_UNUSED_IMAGE_1_0_SIZE 32

/* Receives an image, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_unused_image)(void* ctx, const slipway_unused_image* image);

/* The functions of the ability. Valid as long as the provider object. A process uses an image from
 * its `fetch` to `destroy`, and while it holds a shared lock on the file of get_use_lock. */
typedef struct slipway_image_provider_cache {
  uint32_t struct_size;
  uint32_t reserved0;

  /* [required in this table] Calls `on_image` once for each image of this user on this machine that
   * no process uses, in any order, and changes nothing. Does not list files that other programs
   * made. It is not an error if there is none. */
  slipway_status (*list_unused)(slipway_image_provider* self, const slipway_call* call,
                                slipway_on_unused_image on_image, void* ctx, slipway_error* err);

  /* [required in this table] Removes the image with this root, so that its disk space is free. A
   * later or simultaneous `fetch` makes the image complete again. If the provider keeps no image
   * there, changes nothing and returns SLIPWAY_OK: another process may have removed the image, and
   * `root` may be any text.
   *
   * SLIPWAY_E_PRECONDITION: a process uses the image; nothing was removed. After any other error a
   * part of the image may remain, but no later `fetch` treats it as a complete image. */
  slipway_status (*remove)(slipway_image_provider* self, const slipway_call* call, slipway_str root,
                           slipway_error* err);
} slipway_image_provider_cache;
#define SLIPWAY_IMAGE_PROVIDER_CACHE_1_0_SIZE 24

#ifdef __cplusplus
}
#endif

#endif
