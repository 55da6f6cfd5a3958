/* What the files of the plug-in share. They need -D_POSIX_C_SOURCE=200809L. */
#ifndef KEPT_H
#define KEPT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slipway/abi/helpers.h"

/* Creates an object of each kind. */
slipway_status create_scheduler(const slipway_host* host, const slipway_call* call,
                                const slipway_create_args* args, void** out, slipway_error* err);
slipway_status create_images(const slipway_host* host, const slipway_call* call,
                             const slipway_create_args* args, void** out, slipway_error* err);
slipway_status create_resources(const slipway_host* host, const slipway_call* call,
                                const slipway_create_args* args, void** out, slipway_error* err);
slipway_status create_components(const slipway_host* host, const slipway_call* call,
                                 const slipway_create_args* args, void** out, slipway_error* err);
slipway_status create_workspaces(const slipway_host* host, const slipway_call* call,
                                 const slipway_create_args* args, void** out, slipway_error* err);

/* Returns a view of a string. */
slipway_str view(const char* text);

/* Returns whether the view has the text. */
int is(slipway_str view, const char* text);

/* Sets the reason of a failure, and returns `code`. */
slipway_status fail(const slipway_host* host, slipway_error* err, slipway_status code,
                    const char* message, const char* hint);

/* A path that a callback delivers. */
typedef struct path {
  char text[4096];
} path;

/* Copies a path without its scheme. Returns 0 if it is not absolute or too long. */
int copy_path(path* out, slipway_str name);

#endif
