/* A small host: submits an app and prints what it sees. With the headers of 1.1, it is a host of
 * that version, which also gives the app a note and changes the note.
 *
 * usage: host LIBRARY STATE_DIRECTORY */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slipway/abi/plugin.h"
#include "slipway/abi/scheduler.h"

static const char* state_directory;

static slipway_str view(const char* text) {
  slipway_str out;
  out.ptr = text;
  out.len = strlen(text);
  return out;
}

static void fail(const char* what, slipway_status status) {
  fprintf(stderr, "%s: %d\n", what, (int)status);
  exit(1);
}

/* ---- the host's table ------------------------------------------------------------------------ */

/* The error of a call, which the ABI leaves to the host. set_error() prints the message at once, so
 * nothing is stored, and one object serves all calls. */
struct slipway_error {
  int unused;
};
static slipway_error printed;

static void write_log(const slipway_host* self, int32_t level, slipway_str message) {
  (void)self;
  (void)level;
  fprintf(stderr, "%.*s\n", (int)message.len, message.ptr);
}

static void set_error(slipway_error* err, slipway_status code, slipway_str message,
                      slipway_str hint, slipway_str detail_json) {
  (void)hint;
  (void)detail_json;
  if (err == NULL) return;
  fprintf(stderr, "%d: %.*s\n", (int)code, (int)message.len, message.ptr);
}

static int32_t cancel_requested(const slipway_cancel* cancel) {
  (void)cancel;
  return 0;
}

static int32_t cancel_fd(const slipway_cancel* cancel) {
  (void)cancel;
  return -1;
}

static slipway_status state_path(const slipway_host* host, slipway_on_str on_path, void* ctx,
                                 slipway_error* err) {
  (void)host;
  (void)err;
  return on_path(ctx, view(state_directory));
}

static const void* get_extension(const slipway_host* self, slipway_str id) {
  static const slipway_host_state_dir state = {.struct_size = sizeof state, .path = state_path};
  const slipway_str wanted = view(SLIPWAY_HOST_STATE_DIR);
  (void)self;
  return id.len == wanted.len && memcmp(id.ptr, wanted.ptr, id.len) == 0 ? &state : NULL;
}

/* ---- the calls ------------------------------------------------------------------------------- */

static slipway_scheduler* create_scheduler(const slipway_plugin* plugin, const slipway_host* host,
                                           const slipway_call* call) {
  slipway_create_args args = SLIPWAY_INIT(slipway_create_args);
  const slipway_str kind = view(SLIPWAY_KIND_SCHEDULER);
  void* object = NULL;
  size_t i;
  args.session = view("growth");
  args.config_json = view("{}");
  for (i = 0; i < plugin->providers.count; i++) {
    const slipway_provider* provider = SLIPWAY_AT(plugin->providers, slipway_provider, i);
    slipway_status status;
    if (provider->kind.len != kind.len || memcmp(provider->kind.ptr, kind.ptr, kind.len) != 0)
      continue;
    args.entry = args.name = provider->name;
    status = provider->create(host, call, &args, &object, &printed);
    if (status < 0) fail("create", status);
    return object;
  }
  fail("the plug-in has no scheduler", 0);
  return NULL;
}

static slipway_status ignore_finding(void* ctx, const slipway_finding* finding) {
  (void)ctx;
  (void)finding;
  return SLIPWAY_OK;
}

static slipway_status take_submission(void* ctx, const slipway_submission* submission) {
  snprintf(ctx, 256, "%.*s", (int)submission->app_id.len, submission->app_id.ptr);
  return SLIPWAY_OK;
}

/* The description of an old plug-in is smaller and has no note. */
static slipway_status print_description(void* ctx, const slipway_description* description) {
  (void)ctx;
  printf("state: %d\n", (int)description->state);
#if SLIPWAY_ABI_MINOR >= 1
  if (SLIPWAY_HAS(description, slipway_description, note) && description->note.ptr != NULL)
    printf("note: %.*s\n", (int)description->note.len, description->note.ptr);
  else
    printf("note: not said\n");
#endif
  return SLIPWAY_OK;
}

static void describe(slipway_scheduler* scheduler, const slipway_call* call, const char* app_id) {
  const slipway_describe_opts opts = SLIPWAY_INIT(slipway_describe_opts);
  const slipway_status status = scheduler->vtbl->describe(scheduler, call, view(app_id), &opts,
                                                          print_description, NULL, &printed);
  if (status < 0) fail("describe", status);
}

/* Submits an app, in version 1.1 with a note, and writes its id to `app_id`. */
static void submit(slipway_scheduler* scheduler, const slipway_call* call, char* app_id) {
  slipway_role role = SLIPWAY_INIT(slipway_role);
  slipway_app_def app = SLIPWAY_INIT(slipway_app_def);
  const slipway_cfg cfg = SLIPWAY_INIT(slipway_cfg);
  slipway_schedule_opts opts = SLIPWAY_INIT(slipway_schedule_opts);
  slipway_request* request = NULL;
  slipway_status status;
  role.name = view("one");
  role.image = view("/");
  role.entrypoint = view("true");
  role.num_replicas = 1;
  app.name = view("grown");
  app.roles.ptr = &role;
  app.roles.count = 1;
  app.roles.stride = sizeof role;
  status = scheduler->vtbl->submit_dryrun(scheduler, call, &app, &cfg, ignore_finding, NULL,
                                          &request, &printed);
  if (status < 0) fail("submit_dryrun", status);
  opts.owner_fd = -1;
#if SLIPWAY_ABI_MINOR >= 1
  opts.note = view("first");
#endif
  status =
      scheduler->vtbl->schedule(scheduler, call, request, &opts, take_submission, app_id, &printed);
  if (status < 0) fail("schedule", status);
  scheduler->vtbl->request_free(scheduler, request);
}

#if SLIPWAY_ABI_MINOR >= 1
/* The table of an old plug-in is smaller; that of a new one may lack the function. */
static void change_note(slipway_scheduler* scheduler, const slipway_call* call,
                        const char* app_id) {
  const slipway_scheduler_vtbl* table = scheduler->vtbl;
  if (SLIPWAY_HAS(table, slipway_scheduler_vtbl, set_note) && table->set_note != NULL) {
    const slipway_status status =
        table->set_note(scheduler, call, view(app_id), view("second"), &printed);
    if (status < 0) fail("set_note", status);
    printf("set_note: done\n");
  } else {
    printf("set_note: not implemented\n");
  }
}
#endif

int main(int argc, char** argv) {
  static slipway_host host = {.struct_size = sizeof host,
                              .abi_minor = SLIPWAY_ABI_MINOR,
                              .log = write_log,
                              .error_set = set_error,
                              .cancel_requested = cancel_requested,
                              .cancel_fd = cancel_fd,
                              .get_extension = get_extension};
  const slipway_call call = SLIPWAY_INIT(slipway_call);
  const slipway_plugin* plugin;
  slipway_scheduler* scheduler;
  char app_id[256] = "";
  void* library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) fail(argc == 3 ? dlerror() : "usage: host LIBRARY STATE_DIRECTORY", 0);
  plugin = dlsym(library, SLIPWAY_PLUGIN_SYMBOL);
  if (plugin == NULL || plugin->magic != SLIPWAY_PLUGIN_MAGIC) fail("no plug-in", 0);
  if (plugin->draft != SLIPWAY_ABI_DRAFT || plugin->min_host_minor > SLIPWAY_ABI_MINOR)
    fail("a plug-in of another draft or of a later version", 0);
  state_directory = argv[2];
  host.name = view("growth");
  host.version = view("1");
  printf("plug-in of version 1.%d in a host of version 1.%d\n", (int)plugin->abi_minor,
         SLIPWAY_ABI_MINOR);
  if (plugin->init != NULL && plugin->init(&host, &printed) < 0) fail("init", 0);
  scheduler = create_scheduler(plugin, &host, &call);
  printf("table: %s\n", scheduler->vtbl->struct_size > SLIPWAY_SCHEDULER_VTBL_1_0_SIZE
                            ? "larger than in 1.0"
                            : "as in 1.0");
  submit(scheduler, &call, app_id);
  describe(scheduler, &call, app_id);
#if SLIPWAY_ABI_MINOR >= 1
  change_note(scheduler, &call, app_id);
  describe(scheduler, &call, app_id);
#endif
  scheduler->vtbl->destroy(scheduler);
  if (plugin->deinit != NULL) plugin->deinit();
  return 0;
}
