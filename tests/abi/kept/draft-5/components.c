/* The component `kept.echo`: replicas that print a text. */
#include "kept.h"
#include "slipway/abi/component.h"

typedef struct components {
  slipway_components base;
  const slipway_host* host;
} components;

static void destroy(slipway_components* self) { free(self); }

static slipway_status list(slipway_components* self, const slipway_call* call,
                           const slipway_component_query* query, slipway_on_component on_component,
                           void* ctx, slipway_error* err) {
  slipway_cfg_entry two = SLIPWAY_INIT(slipway_cfg_entry);
  slipway_component_param params[] = {SLIPWAY_INIT(slipway_component_param),
                                      SLIPWAY_INIT(slipway_component_param)};
  slipway_component_info info = SLIPWAY_INIT(slipway_component_info);
  (void)self;
  (void)call;
  (void)query;
  (void)err;
  two.type = SLIPWAY_TYPE_INT;
  two.integer = 2;
  params[0].name = view("text");
  params[0].help = view("the text to print");
  params[0].type = SLIPWAY_TYPE_STR;
  params[0].required = 1;
  params[1].name = view("replicas");
  params[1].help = view("number of replicas");
  params[1].type = SLIPWAY_TYPE_INT;
  params[1].default_value = &two;
  info.name = view("kept.echo");
  info.help = view("Prints a text.");
  info.params.ptr = params;
  info.params.count = 2;
  info.params.stride = sizeof params[0];
  return on_component(ctx, &info);
}

static slipway_status build(slipway_components* self, const slipway_call* call,
                            const slipway_component_order* order, slipway_on_app_def on_app,
                            void* ctx, slipway_error* err) {
  const slipway_host* host = ((components*)self)->host;
  slipway_app_def app = SLIPWAY_INIT(slipway_app_def);
  slipway_role role = SLIPWAY_INIT(slipway_role);
  slipway_str text = SLIPWAY_ABSENT;
  int64_t replicas = 0;
  size_t i;
  (void)call;
  if (!is(order->name, "kept.echo"))
    return fail(host, err, SLIPWAY_E_NOT_FOUND, "there is only the component kept.echo", NULL);
  for (i = 0; i < order->args->entries.count; i++) {
    const slipway_cfg_entry* entry = SLIPWAY_AT(order->args->entries, slipway_cfg_entry, i);
    if (is(entry->key, "text")) text = entry->text;
    if (is(entry->key, "replicas")) replicas = entry->integer;
  }
  if (replicas < 1 || replicas > 1000)
    return fail(host, err, SLIPWAY_E_INVALID, "--replicas is between 1 and 1000", NULL);
  role.name = view("echo");
  role.image = view("/");
  role.entrypoint = view("echo");
  role.args.ptr = &text;
  role.args.count = 1;
  role.args.stride = sizeof text;
  role.num_replicas = (int32_t)replicas;
  app.name = view("kept-echo");
  app.roles.ptr = &role;
  app.roles.count = 1;
  app.roles.stride = sizeof role;
  return on_app(ctx, &app);
}

static const slipway_components_vtbl table = {
    .struct_size = sizeof table, .destroy = destroy, .list = list, .build = build};

slipway_status create_components(const slipway_host* host, const slipway_call* call,
                                 const slipway_create_args* args, void** out, slipway_error* err) {
  components* self = malloc(sizeof *self);
  (void)call;
  (void)args;
  if (self == NULL) return fail(host, err, SLIPWAY_E_INTERNAL, "out of memory", NULL);
  self->base.vtbl = &table;
  self->host = host;
  *out = self;
  return SLIPWAY_OK;
}
