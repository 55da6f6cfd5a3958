/* Keeps apps as files below the host's directory for state. */
#ifndef KEPT_RECORD_H
#define KEPT_RECORD_H

#include "kept.h"

/* An app. The texts are parts of `memory`. `roles` has a line "COUNT NAME" for each role. */
typedef struct record {
  char* memory;
  const char* note; /* a text of the user; may be empty */
  const char* session;
  const char* name;
  const char* roles;
  int64_t submitted_at_ns;
} record;

/* One role of a record. */
typedef struct record_role {
  slipway_str name;
  int32_t count;
} record_role;

/* Finds the directory of the apps, which may be missing. */
slipway_status record_directory(const slipway_host* host, path* out, slipway_error* err);

/* Writes the file of an app completely or not at all. Returns 0, with errno, on failure. With
 * `replace` 0, an existing app is a failure. */
int record_save(const path* directory, const char* app_id, const record* app, int replace);

/* Reads the file of an app; `app->memory` must be freed. Returns 0 if the app does not exist. */
int record_load(const path* directory, slipway_str app_id, record* app);

/* Deletes the file of an app. */
void record_remove(const path* directory, slipway_str app_id);

/* Reads the first line of `*roles` and moves to the next one. Returns 0 at the end. */
int record_next_role(const char** roles, record_role* out);

/* Returns whether this can be the id of an app, which is also the name of its file. */
int record_is_app(slipway_str app_id);

#endif
