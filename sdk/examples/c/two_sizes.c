/* The smallest plug-in: two named resources in C99. It needs only the headers of the SDK.
 * slipway/abi/base.h has the rules R1 to R10, which the comments name. */
#include <stdlib.h>

#include "slipway/abi/helpers.h"
#include "slipway/abi/named_resources.h"

static void destroy(slipway_named_resources* self) { free(self); }

/* Passes each result to the callback (R4). A negative return value of the callback means "stop" and
 * is returned unchanged. */
static slipway_status list(slipway_named_resources* self, const slipway_call* call,
                           slipway_on_named_resource on_resource, void* ctx, slipway_error* err) {
  static const slipway_str names[] = {SLIPWAY_STR("bench.one"), SLIPWAY_STR("bench.all")};
  static const int32_t cpus[] = {1, 16};
  size_t i;
  (void)self;
  (void)call;
  (void)err;
  for (i = 0; i < sizeof names / sizeof names[0]; i++) {
    slipway_resource resource = SLIPWAY_INIT(slipway_resource); /* R1; 0 GPUs */
    slipway_named_resource named = SLIPWAY_INIT(slipway_named_resource);
    slipway_status status;
    resource.cpu = cpus[i];
    resource.mem_mb = cpus[i] * INT64_C(2048);
    named.name = names[i];
    named.resource = &resource;
    status = on_resource(ctx, &named);
    if (status < 0) return status;
  }
  return SLIPWAY_OK;
}

/* `get`, `get_extension` and functions of later versions are optional and NULL here (R6). */
static const slipway_named_resources_vtbl table = {
    .struct_size = sizeof table, .destroy = destroy, .list = list};

/* Makes one object for each call; the host ends it with `destroy`. */
static slipway_status create(const slipway_host* host, const slipway_call* call,
                             const slipway_create_args* args, void** out, slipway_error* err) {
  static const slipway_str message = SLIPWAY_STR("out of memory"), absent = SLIPWAY_ABSENT;
  slipway_named_resources* self = malloc(sizeof *self);
  (void)call;
  (void)args;
  if (self == NULL) {
    host->error_set(err, SLIPWAY_E_INTERNAL, message, absent, absent);
    return SLIPWAY_E_INTERNAL;
  }
  self->vtbl = &table;
  *out = self;
  return SLIPWAY_OK;
}

static const slipway_provider providers[] = {
    SLIPWAY_PROVIDER_ROW(SLIPWAY_KIND_NAMED_RESOURCES, "bench", "parts of a bench", create)};

SLIPWAY_DEFINE_PLUGIN("org.example.bench", "1.0.0", NULL, NULL, providers);
