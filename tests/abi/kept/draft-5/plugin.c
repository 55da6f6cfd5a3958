/* A plug-in with one provider of each kind. */
#include "kept.h"
#include "slipway/abi/component.h"
#include "slipway/abi/image_provider.h"
#include "slipway/abi/named_resources.h"
#include "slipway/abi/scheduler.h"
#include "slipway/abi/workspace.h"

slipway_str view(const char* text) {
  slipway_str out = SLIPWAY_ABSENT;
  if (text != NULL) {
    out.ptr = text;
    out.len = strlen(text);
  }
  return out;
}

int is(slipway_str view, const char* text) {
  return view.len == strlen(text) && memcmp(view.ptr, text, view.len) == 0;
}

slipway_status fail(const slipway_host* host, slipway_error* err, slipway_status code,
                    const char* message, const char* hint) {
  host->error_set(err, code, view(message), view(hint), view(NULL));
  return code;
}

int copy_path(path* out, slipway_str name) {
  static const char scheme[] = "kept://";
  const size_t start = sizeof scheme - 1;
  if (name.len >= start && memcmp(name.ptr, scheme, start) == 0) {
    name.ptr += start;
    name.len -= start;
  }
  if (name.len == 0 || name.ptr[0] != '/' || name.len >= sizeof out->text) return 0;
  memcpy(out->text, name.ptr, name.len);
  out->text[name.len] = '\0';
  return strlen(out->text) == name.len;
}

static const slipway_provider providers[] = {
    SLIPWAY_PROVIDER_ROW(SLIPWAY_KIND_SCHEDULER, "kept", "notes apps", create_scheduler),
    SLIPWAY_PROVIDER_ROW(SLIPWAY_KIND_IMAGE_PROVIDER, "kept", "directories", create_images),
    SLIPWAY_PROVIDER_ROW(SLIPWAY_KIND_NAMED_RESOURCES, "kept", "two sizes", create_resources),
    SLIPWAY_PROVIDER_ROW(SLIPWAY_KIND_COMPONENT, "kept", "one component", create_components),
    SLIPWAY_PROVIDER_ROW(SLIPWAY_KIND_WORKSPACE, "kept", "copies of files", create_workspaces)};

SLIPWAY_DEFINE_PLUGIN("org.example.kept", "1.0.0", NULL, NULL, providers);
