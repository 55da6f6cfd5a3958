#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "slipway/abi/host.h"

static slipway_status take_path(void* ctx, slipway_str text) {
  return copy_path(ctx, text) ? SLIPWAY_OK : SLIPWAY_E_INVALID;
}

slipway_status record_directory(const slipway_host* host, path* out, slipway_error* err) {
  const slipway_host_state_dir* service = host->get_extension(host, view(SLIPWAY_HOST_STATE_DIR));
  path state;
  slipway_status status;
  if (service == NULL)
    return fail(host, err, SLIPWAY_E_UNIMPLEMENTED, "the host has no directory for state", NULL);
  status = service->path(host, take_path, &state, err);
  if (status < 0) return status;
  if ((size_t)snprintf(out->text, sizeof out->text, "%s/kept-c", state.text) >= sizeof out->text)
    return fail(host, err, SLIPWAY_E_CANT_CREATE, "the path of the state is too long", NULL);
  return SLIPWAY_OK;
}

int record_is_app(slipway_str app_id) {
  return app_id.len > 0 && app_id.len < 256 && app_id.ptr[0] != '.' &&
         memchr(app_id.ptr, '/', app_id.len) == NULL && memchr(app_id.ptr, 0, app_id.len) == NULL;
}

static int file_of(const path* directory, slipway_str app_id, path* out) {
  const int size = snprintf(out->text, sizeof out->text, "%s/%.*s", directory->text,
                            (int)app_id.len, app_id.ptr);
  return record_is_app(app_id) && size > 0 && (size_t)size < sizeof out->text;
}

int record_save(const path* directory, const char* app_id, const record* app, int replace) {
  path file, unfinished;
  FILE* out;
  int good;
  if (!file_of(directory, view(app_id), &file)) return 0;
  if (snprintf(unfinished.text, sizeof unfinished.text, "%.3900s/.%.100s", directory->text,
               app_id) < 0)
    return 0;
  if (mkdir(directory->text, 0700) != 0 && errno != EEXIST) return 0;
  if (!replace && access(file.text, F_OK) == 0) {
    errno = EEXIST;
    return 0;
  }
  out = fopen(unfinished.text, "wxe");
  if (out == NULL) return 0;
  fprintf(out, "%s\n%s\n%s\n%" PRId64 "\n%s", app->note, app->session, app->name,
          app->submitted_at_ns, app->roles);
  good = !ferror(out);
  good = fclose(out) == 0 && good && rename(unfinished.text, file.text) == 0;
  if (!good) unlink(unfinished.text);
  return good;
}

/* Ends the line at `*text` and moves to the next one. */
static char* take_line(char** text) {
  char* line = *text;
  char* end = strchr(line, '\n');
  *text = end != NULL ? end + 1 : line + strlen(line);
  if (end != NULL) *end = '\0';
  return line;
}

int record_load(const path* directory, slipway_str app_id, record* app) {
  path name;
  struct stat found;
  FILE* in;
  char* text;
  size_t size;
  if (!file_of(directory, app_id, &name)) return 0;
  in = fopen(name.text, "re");
  if (in == NULL) return 0;
  app->memory = fstat(fileno(in), &found) == 0 ? malloc((size_t)found.st_size + 1) : NULL;
  if (app->memory == NULL) {
    fclose(in);
    return 0;
  }
  size = fread(app->memory, 1, (size_t)found.st_size, in);
  fclose(in);
  app->memory[size] = '\0';
  text = app->memory;
  app->note = take_line(&text);
  app->session = take_line(&text);
  app->name = take_line(&text);
  app->submitted_at_ns = strtoll(take_line(&text), NULL, 10);
  app->roles = text;
  return 1;
}

void record_remove(const path* directory, slipway_str app_id) {
  path file;
  if (file_of(directory, app_id, &file)) unlink(file.text);
}

int record_next_role(const char** roles, record_role* out) {
  char* name;
  const char* end;
  if (**roles == '\0') return 0;
  out->count = (int32_t)strtol(*roles, &name, 10);
  if (*name == ' ') name++;
  end = strchr(name, '\n');
  out->name.ptr = name;
  out->name.len = end != NULL ? (size_t)(end - name) : strlen(name);
  *roles = end != NULL ? end + 1 : name + strlen(name);
  return 1;
}
