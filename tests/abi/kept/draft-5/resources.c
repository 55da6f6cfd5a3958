/* Two named resources. */
#include "kept.h"
#include "slipway/abi/named_resources.h"

static void destroy(slipway_named_resources* self) { free(self); }

static slipway_status deliver(int32_t cpu, slipway_on_named_resource on_resource, void* ctx) {
  slipway_resource resource = SLIPWAY_INIT(slipway_resource);
  slipway_named_resource named = SLIPWAY_INIT(slipway_named_resource);
  resource.cpu = cpu;
  resource.mem_mb = INT64_C(1024) * cpu;
  named.name = view(cpu == 1 ? "kept.small" : "kept.large");
  named.resource = &resource;
  return on_resource(ctx, &named);
}

static slipway_status list(slipway_named_resources* self, const slipway_call* call,
                           slipway_on_named_resource on_resource, void* ctx, slipway_error* err) {
  slipway_status status = deliver(1, on_resource, ctx);
  (void)self;
  (void)call;
  (void)err;
  return status < 0 ? status : deliver(8, on_resource, ctx);
}

static slipway_status get(slipway_named_resources* self, const slipway_call* call, slipway_str name,
                          slipway_on_named_resource on_resource, void* ctx, slipway_error* err) {
  (void)self;
  (void)call;
  (void)err;
  if (is(name, "kept.small")) return deliver(1, on_resource, ctx);
  if (is(name, "kept.large")) return deliver(8, on_resource, ctx);
  return SLIPWAY_OK;
}

static const slipway_named_resources_vtbl table = {
    .struct_size = sizeof table, .destroy = destroy, .list = list, .get = get};

slipway_status create_resources(const slipway_host* host, const slipway_call* call,
                                const slipway_create_args* args, void** out, slipway_error* err) {
  slipway_named_resources* self = malloc(sizeof *self);
  (void)call;
  (void)args;
  if (self == NULL) return fail(host, err, SLIPWAY_E_INTERNAL, "out of memory", NULL);
  self->vtbl = &table;
  *out = self;
  return SLIPWAY_OK;
}
