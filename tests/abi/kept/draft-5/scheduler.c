/* A scheduler that notes apps and runs nothing: each app succeeds at once, and its log has a line
 * for each replica. */
#include "slipway/abi/scheduler.h"

#include <dirent.h>
#include <time.h>
#include <unistd.h>

#include "logs.h"
#include "record.h"

typedef struct scheduler {
  slipway_scheduler base;
  const slipway_host* host;
  char session[256];
} scheduler;

struct slipway_request {
  char* name;
  char* roles; /* as in a record */
  size_t role_count;
};

static const slipway_host* host_of(const slipway_scheduler* self) {
  return ((const scheduler*)self)->host;
}

static void destroy(slipway_scheduler* self) { free(self); }

static slipway_status run_opts(slipway_scheduler* self, const slipway_call* call,
                               slipway_on_run_opt on_opt, void* ctx, slipway_error* err) {
  slipway_cfg_entry text = SLIPWAY_INIT(slipway_cfg_entry);
  slipway_run_opt verb = SLIPWAY_INIT(slipway_run_opt);
  (void)self;
  (void)call;
  (void)err;
  text.type = SLIPWAY_TYPE_STR;
  text.text = view("keeps");
  verb.name = view("verb");
  verb.type = SLIPWAY_TYPE_STR;
  verb.help = view("the first word of a printed request");
  verb.default_value = &text;
  return on_opt(ctx, &verb);
}

static slipway_status app_fields(slipway_scheduler* self, const slipway_call* call,
                                 const slipway_cfg* cfg, slipway_on_app_field on_field, void* ctx,
                                 slipway_error* err) {
  slipway_app_field image = SLIPWAY_INIT(slipway_app_field);
  (void)self;
  (void)call;
  (void)cfg;
  (void)err;
  image.name = view("image");
  return on_field(ctx, &image);
}

static void request_free(slipway_scheduler* self, slipway_request* request) {
  (void)self;
  free(request->name);
  free(request->roles);
  free(request);
}

/* Refuses what a later version may order (R8), and reports what is ignored. */
static slipway_status judge(const slipway_host* host, const slipway_role* role,
                            slipway_on_finding on_finding, void* ctx, slipway_error* err) {
  size_t i;
  if (role->retry_policy < SLIPWAY_RETRY_APPLICATION || role->retry_policy > SLIPWAY_RETRY_ROLE)
    return fail(host, err, SLIPWAY_E_UNIMPLEMENTED, "the retry policy is unknown", NULL);
  for (i = 0; i < role->mounts.count; i++) {
    const slipway_mount* mount = SLIPWAY_AT(role->mounts, slipway_mount, i);
    slipway_finding finding = SLIPWAY_INIT(slipway_finding);
    slipway_status status;
    if (mount->kind < SLIPWAY_MOUNT_BIND || mount->kind > SLIPWAY_MOUNT_DEVICE)
      return fail(host, err, SLIPWAY_E_UNIMPLEMENTED, "the kind of the mount is unknown", NULL);
    finding.kind = SLIPWAY_FINDING_IGNORED;
    finding.role = role->name;
    finding.field = view("mounts");
    finding.why = view("nothing runs here");
    status = on_finding(ctx, &finding);
    if (status < 0) return status;
  }
  return SLIPWAY_OK;
}

static slipway_status submit_dryrun(slipway_scheduler* self, const slipway_call* call,
                                    const slipway_app_def* app, const slipway_cfg* cfg,
                                    slipway_on_finding on_finding, void* ctx, slipway_request** out,
                                    slipway_error* err) {
  const slipway_host* host = host_of(self);
  slipway_request* request = calloc(1, sizeof *request);
  size_t i, size;
  FILE* roles;
  (void)call;
  (void)cfg;
  if (request == NULL) return fail(host, err, SLIPWAY_E_INTERNAL, "out of memory", NULL);
  request->name = strndup(app->name.len > 0 ? app->name.ptr : "", app->name.len);
  roles = open_memstream(&request->roles, &size);
  for (i = 0; roles != NULL && i < app->roles.count; i++) {
    const slipway_role* role = SLIPWAY_AT(app->roles, slipway_role, i);
    const slipway_status status = judge(host, role, on_finding, ctx, err);
    if (status < 0) {
      fclose(roles);
      request_free(self, request);
      return status;
    }
    fprintf(roles, "%d ", (int)role->num_replicas);
    fwrite(role->name.ptr, 1, role->name.len, roles);
    fputc('\n', roles);
    request->role_count++;
  }
  if (roles == NULL || fclose(roles) != 0 || request->name == NULL) {
    request_free(self, request);
    return fail(host, err, SLIPWAY_E_INTERNAL, "out of memory", NULL);
  }
  *out = request;
  return SLIPWAY_OK;
}

static slipway_status request_print(slipway_scheduler* self, const slipway_request* request,
                                    int32_t format, slipway_on_str on_text, void* ctx,
                                    slipway_error* err) {
  char json[64];
  slipway_status status;
  if (format == SLIPWAY_PRINT_JSON) {
    snprintf(json, sizeof json, "{\"roles\": %zu}", request->role_count);
    return on_text(ctx, view(json));
  }
  if (format != SLIPWAY_PRINT_TEXT)
    return fail(host_of(self), err, SLIPWAY_E_UNIMPLEMENTED, "the format is unknown", NULL);
  status = on_text(ctx, view(request->roles));
  return status < 0 ? status : on_text(ctx, view("is kept\n"));
}

static slipway_status schedule(slipway_scheduler* self, const slipway_call* call,
                               const slipway_request* request, const slipway_schedule_opts* opts,
                               slipway_on_submission on_submission, void* ctx, slipway_error* err) {
  const slipway_host* host = host_of(self);
  slipway_submission submission = SLIPWAY_INIT(slipway_submission);
  char note[256] = "";
  char app_id[64];
  path directory;
  struct timespec now;
  record app = {NULL, note, ((scheduler*)self)->session, request->name, request->roles, 0};
  const slipway_status status = record_directory(host, &directory, err);
  (void)call;
  if (status < 0) return status;
  if ((opts->flags & SLIPWAY_MUST_UNDERSTAND) != 0)
    return fail(host, err, SLIPWAY_E_UNIMPLEMENTED, "an option of a later version is set", NULL);
#if SLIPWAY_ABI_MINOR >= 1
  if (SLIPWAY_HAS(opts, slipway_schedule_opts, note))
    snprintf(note, sizeof note, "%.*s", (int)opts->note.len, opts->note.ptr);
#endif
  clock_gettime(CLOCK_REALTIME, &now);
  app.submitted_at_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
  /* The time, with a fixed width, sorts the apps. */
  snprintf(app_id, sizeof app_id, "kept-%016llx-%x", (unsigned long long)app.submitted_at_ns,
           (unsigned)getpid());
  if (!record_save(&directory, app_id, &app, 0))
    return fail(host, err, SLIPWAY_E_CANT_CREATE, "cannot write the record of the app",
                "check the permissions of the directory for state");
  submission.app_id = view(app_id);
  return on_submission(ctx, &submission);
}

/* Builds the statuses of the roles and replicas, and calls `on_description`. */
static slipway_status deliver(const record* app, slipway_str app_id, uint32_t want,
                              slipway_on_description on_description, void* ctx) {
  slipway_description out = SLIPWAY_INIT(slipway_description);
  slipway_role_status* roles = NULL;
  slipway_replica_status* replicas = NULL;
  size_t role_count = 0, replica_count = 0;
  const char* rest = app->roles;
  record_role role;
  slipway_status status;
  while (record_next_role(&rest, &role)) {
    role_count++;
    replica_count += (size_t)role.count;
  }
  out.state = SLIPWAY_STATE_SUCCEEDED;
  out.app_id = app_id;
  out.name = view(app->name);
  out.submitted_at_ns = out.started_at_ns = out.finished_at_ns = app->submitted_at_ns;
#if SLIPWAY_ABI_MINOR >= 1
  out.note = view(app->note);
#endif
  if ((want & SLIPWAY_WANT_REPLICAS) != 0) {
    roles = calloc(role_count + 1, sizeof *roles);
    replicas = calloc(replica_count + 1, sizeof *replicas);
  }
  if (roles != NULL && replicas != NULL) {
    slipway_replica_status* next = replicas;
    out.roles.ptr = roles;
    out.roles.stride = sizeof *roles;
    for (rest = app->roles; record_next_role(&rest, &role); out.roles.count++) {
      slipway_role_status* one = &roles[out.roles.count];
      one->struct_size = sizeof *one;
      one->role = role.name;
      one->replicas.ptr = next;
      one->replicas.stride = sizeof *next;
      for (; one->replicas.count < (size_t)role.count; one->replicas.count++, next++) {
        next->struct_size = sizeof *next;
        next->id = (int32_t)one->replicas.count;
        next->state = SLIPWAY_STATE_SUCCEEDED;
        next->has_exit_code = 1;
        next->reason = view("exit");
      }
    }
  }
  status = on_description(ctx, &out);
  free(roles);
  free(replicas);
  return status;
}

static slipway_status describe(slipway_scheduler* self, const slipway_call* call,
                               slipway_str app_id, const slipway_describe_opts* opts,
                               slipway_on_description on_description, void* ctx,
                               slipway_error* err) {
  path directory;
  record app;
  slipway_status status = record_directory(host_of(self), &directory, err);
  (void)call;
  if (status < 0 || !record_load(&directory, app_id, &app)) return status;
  status = deliver(&app, app_id, opts->want, on_description, ctx);
  free(app.memory);
  return status;
}

/* Does nothing: each app has ended. */
static slipway_status cancel(slipway_scheduler* self, const slipway_call* call, slipway_str app_id,
                             const slipway_cancel_opts* opts, slipway_error* err) {
  (void)self;
  (void)call;
  (void)app_id;
  (void)opts;
  (void)err;
  return SLIPWAY_OK;
}

static slipway_status delete_app(slipway_scheduler* self, const slipway_call* call,
                                 slipway_str app_id, const slipway_delete_opts* opts,
                                 slipway_error* err) {
  path directory;
  const slipway_status status = record_directory(host_of(self), &directory, err);
  (void)call;
  (void)opts;
  if (status >= 0) record_remove(&directory, app_id);
  return status;
}

static int select_app(const struct dirent* entry) { return record_is_app(view(entry->d_name)); }

static int newest_first(const struct dirent** a, const struct dirent** b) {
  return strcmp((*b)->d_name, (*a)->d_name);
}

static slipway_status list(slipway_scheduler* self, const slipway_call* call,
                           const slipway_list_query* query, slipway_on_list_item on_item, void* ctx,
                           slipway_error* err) {
  path directory;
  struct dirent** apps;
  int count, i;
  slipway_status status = record_directory(host_of(self), &directory, err);
  (void)call;
  (void)query;
  if (status < 0) return status;
  count = scandir(directory.text, &apps, select_app, newest_first);
  if (count < 0) return SLIPWAY_OK; /* no app was submitted yet */
  for (i = 0; i < count; i++) {
    record app;
    if (status >= 0 && record_load(&directory, view(apps[i]->d_name), &app)) {
      slipway_list_item item = SLIPWAY_INIT(slipway_list_item);
      item.state = SLIPWAY_STATE_SUCCEEDED;
      item.app_id = view(apps[i]->d_name);
      item.name = view(app.name);
      item.session = view(app.session);
      item.submitted_at_ns = app.submitted_at_ns;
      status = on_item(ctx, &item);
      free(app.memory);
    }
    free(apps[i]);
  }
  free(apps);
  return status < 0 ? status : SLIPWAY_OK;
}

static slipway_status log_open(slipway_scheduler* self, const slipway_call* call,
                               const slipway_log_query* query, slipway_log_iter** out,
                               slipway_error* err) {
  path directory;
  const slipway_status status = record_directory(host_of(self), &directory, err);
  (void)call;
  return status < 0 ? status : open_logs(host_of(self), &directory, query, out, err);
}

#if SLIPWAY_ABI_MINOR >= 1
static slipway_status set_note(slipway_scheduler* self, const slipway_call* call,
                               slipway_str app_id, slipway_str note, slipway_error* err) {
  path directory;
  record app;
  char text[256], id[256];
  int saved;
  const slipway_status status = record_directory(host_of(self), &directory, err);
  (void)call;
  if (status < 0 || !record_load(&directory, app_id, &app)) return status;
  snprintf(text, sizeof text, "%.*s", (int)note.len, note.ptr);
  snprintf(id, sizeof id, "%.*s", (int)app_id.len, app_id.ptr);
  app.note = text;
  saved = record_save(&directory, id, &app, 1);
  free(app.memory);
  if (saved) return SLIPWAY_OK;
  return fail(host_of(self), err, SLIPWAY_E_CANT_CREATE, "cannot write the record of the app",
              "check the permissions of the directory for state");
}
#endif

static const slipway_scheduler_vtbl table = {
    .struct_size = sizeof table,
    .flags = SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT,
    .destroy = destroy,
    .run_opts = run_opts,
    .app_fields = app_fields,
    .submit_dryrun = submit_dryrun,
    .request_print = request_print,
    .request_free = request_free,
    .schedule = schedule,
    .describe = describe,
    .cancel = cancel,
    .delete_app = delete_app,
    .list = list,
    .log_open = log_open,
    .log_next = next_log,
    .log_cancel = cancel_log,
    .log_close = close_log,
#if SLIPWAY_ABI_MINOR >= 1
    .set_note = set_note,
#endif
};

slipway_status create_scheduler(const slipway_host* host, const slipway_call* call,
                                const slipway_create_args* args, void** out, slipway_error* err) {
  scheduler* self = calloc(1, sizeof *self);
  (void)call;
  if (self == NULL) return fail(host, err, SLIPWAY_E_INTERNAL, "out of memory", NULL);
  self->base.vtbl = &table;
  self->host = host;
  snprintf(self->session, sizeof self->session, "%.*s", (int)args->session.len, args->session.ptr);
  *out = self;
  return SLIPWAY_OK;
}
