/* Workspaces that are copied as the files of one directory, without its directories. */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kept.h"
#include "slipway/abi/workspace.h"

static const char mark[] = ".kept"; /* a file in each image that `build` made */

typedef struct workspaces {
  slipway_workspace base;
  const slipway_host* host;
} workspaces;

static void destroy(slipway_workspace* self) { free(self); }

static int is_directory(const char* name) {
  struct stat found;
  return stat(name, &found) == 0 && S_ISDIR(found.st_mode);
}

static int join(path* out, const char* directory, const char* name) {
  const int size = snprintf(out->text, sizeof out->text, "%s/%s", directory, name);
  return size > 0 && (size_t)size < sizeof out->text;
}

/* Finds the workspace and the path of its image. */
static slipway_status read_order(slipway_workspace* self, const slipway_workspace_order* order,
                                 path* source, path* image, slipway_error* err) {
  const slipway_host* host = ((workspaces*)self)->host;
  path directory, name;
  if (!copy_path(source, order->source) || !is_directory(source->text))
    return fail(host, err, SLIPWAY_E_NOT_FOUND, "the workspace is no directory", NULL);
  snprintf(name.text, sizeof name.text, "%.*s", (int)order->name.len, order->name.ptr);
  if (!copy_path(&directory, order->directory) || !join(image, directory.text, name.text))
    return fail(host, err, SLIPWAY_E_INVALID, "the path of the copy is too long", NULL);
  return SLIPWAY_OK;
}

static slipway_status deliver(const path* image, slipway_on_workspace on_result, void* ctx) {
  slipway_workspace_result result = SLIPWAY_INIT(slipway_workspace_result);
  result.image = view(image->text);
  result.files = -1;
  result.bytes = -1;
  return on_result(ctx, &result);
}

static slipway_status plan(slipway_workspace* self, const slipway_call* call,
                           const slipway_workspace_order* order, slipway_on_workspace on_result,
                           void* ctx, slipway_error* err) {
  path source, image;
  const slipway_status status = read_order(self, order, &source, &image, err);
  (void)call;
  return status < 0 ? status : deliver(&image, on_result, ctx);
}

static int make_directories(const path* wanted) {
  path part = *wanted;
  char* slash = part.text;
  while ((slash = strchr(slash + 1, '/')) != NULL) {
    *slash = '\0';
    if (mkdir(part.text, 0700) != 0 && errno != EEXIST) return 0;
    *slash = '/';
  }
  return mkdir(part.text, 0700) == 0;
}

static int copy_file(const char* from, const char* to) {
  char bytes[4096];
  size_t size;
  FILE* in = fopen(from, "rbe");
  FILE* out = fopen(to, "wbxe");
  int good = in != NULL && out != NULL;
  while (good && (size = fread(bytes, 1, sizeof bytes, in)) > 0)
    good = fwrite(bytes, 1, size, out) == size;
  if (in != NULL) {
    good = good && !ferror(in);
    fclose(in);
  }
  if (out != NULL) good = fclose(out) == 0 && good;
  return good;
}

/* Calls `visit` for each regular file of a directory. Returns whether all calls succeeded. */
static int each_file(const char* directory,
                     int (*visit)(const char* file, const char* name, const char* copy),
                     const char* copy) {
  DIR* files = opendir(directory);
  struct dirent* entry;
  int good = files != NULL;
  while (good && (entry = readdir(files)) != NULL) {
    path file;
    struct stat found;
    if (!join(&file, directory, entry->d_name)) good = 0;
    if (good && lstat(file.text, &found) == 0 && S_ISREG(found.st_mode))
      good = visit(file.text, entry->d_name, copy);
  }
  if (files != NULL) closedir(files);
  return good;
}

static int copy_into(const char* file, const char* name, const char* copy) {
  path target;
  return join(&target, copy, name) && copy_file(file, target.text);
}

static int remove_file(const char* file, const char* name, const char* copy) {
  (void)name;
  (void)copy;
  return unlink(file) == 0;
}

static void remove_copy(const path* image) {
  each_file(image->text, remove_file, NULL);
  rmdir(image->text);
}

static slipway_status build(slipway_workspace* self, const slipway_call* call,
                            const slipway_workspace_order* order, slipway_on_workspace on_result,
                            void* ctx, slipway_error* err) {
  const slipway_host* host = ((workspaces*)self)->host;
  path source, image, unfinished, file;
  const slipway_status status = read_order(self, order, &source, &image, err);
  (void)call;
  if (status < 0) return status;
  if (is_directory(image.text))
    return fail(host, err, SLIPWAY_E_EXISTS, "the copy exists already", NULL);
  if (snprintf(unfinished.text, sizeof unfinished.text, "%.4000s.part", image.text) < 0 ||
      !make_directories(&unfinished))
    return fail(host, err, SLIPWAY_E_CANT_CREATE, "cannot create a directory for the copy", NULL);
  if (!each_file(source.text, copy_into, unfinished.text) || !join(&file, unfinished.text, mark) ||
      !copy_file("/dev/null", file.text) || rename(unfinished.text, image.text) != 0) {
    remove_copy(&unfinished);
    return fail(host, err, SLIPWAY_E_CANT_CREATE, "cannot copy the workspace", NULL);
  }
  return deliver(&image, on_result, ctx);
}

static slipway_status discard(slipway_workspace* self, const slipway_call* call, slipway_str image,
                              slipway_error* err) {
  path copy, file;
  (void)self;
  (void)call;
  (void)err;
  if (copy_path(&copy, image) && join(&file, copy.text, mark) && access(file.text, F_OK) == 0)
    remove_copy(&copy);
  return SLIPWAY_OK;
}

static const slipway_workspace_vtbl table = {.struct_size = sizeof table,
                                             .destroy = destroy,
                                             .plan = plan,
                                             .build = build,
                                             .discard = discard};

slipway_status create_workspaces(const slipway_host* host, const slipway_call* call,
                                 const slipway_create_args* args, void** out, slipway_error* err) {
  workspaces* self = malloc(sizeof *self);
  (void)call;
  (void)args;
  if (self == NULL) return fail(host, err, SLIPWAY_E_INTERNAL, "out of memory", NULL);
  self->base.vtbl = &table;
  self->host = host;
  *out = self;
  return SLIPWAY_OK;
}
