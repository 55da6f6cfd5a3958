/* Images that are directories. */
#include <sys/stat.h>

#include "kept.h"
#include "slipway/abi/image_provider.h"

typedef struct images {
  slipway_image_provider base;
  const slipway_host* host;
} images;

static void destroy(slipway_image_provider* self) { free(self); }

static slipway_status deliver(const path* root, slipway_on_image on_image, void* ctx) {
  slipway_image image = SLIPWAY_INIT(slipway_image);
  image.root = view(root->text);
  return on_image(ctx, &image);
}

static slipway_status resolve(slipway_image_provider* self, const slipway_call* call,
                              slipway_str image, slipway_on_image on_image, void* ctx,
                              slipway_error* err) {
  path root;
  (void)call;
  if (!copy_path(&root, image))
    return fail(((images*)self)->host, err, SLIPWAY_E_INVALID, "the image is no absolute path",
                "write kept:///directory");
  return deliver(&root, on_image, ctx);
}

static slipway_status fetch(slipway_image_provider* self, const slipway_call* call,
                            slipway_str image, slipway_on_image on_image, void* ctx,
                            slipway_error* err) {
  path root;
  struct stat found;
  (void)call;
  if (!copy_path(&root, image) || stat(root.text, &found) != 0 || !S_ISDIR(found.st_mode))
    return fail(((images*)self)->host, err, SLIPWAY_E_NOT_FOUND, "the image is no directory", NULL);
  return deliver(&root, on_image, ctx);
}

static const slipway_image_provider_vtbl table = {
    .struct_size = sizeof table, .destroy = destroy, .resolve = resolve, .fetch = fetch};

slipway_status create_images(const slipway_host* host, const slipway_call* call,
                             const slipway_create_args* args, void** out, slipway_error* err) {
  images* self = malloc(sizeof *self);
  (void)call;
  (void)args;
  if (self == NULL) return fail(host, err, SLIPWAY_E_INTERNAL, "out of memory", NULL);
  self->base.vtbl = &table;
  self->host = host;
  *out = self;
  return SLIPWAY_OK;
}
