/* slipway/abi/host_text.h - services of the host that write and read texts for plug-ins, so that a
 * plug-in needs no JSON library to keep an app in a file or to read its configuration. */
#ifndef SLIPWAY_ABI_HOST_TEXT_H
#define SLIPWAY_ABI_HOST_TEXT_H

#include "slipway/abi/app.h"
#include "slipway/abi/base.h"
#include "slipway/abi/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- slipway.host.app_text/1 ----------------------------------------------------------------- */

#define SLIPWAY_HOST_APP_TEXT "slipway.host.app_text/1"

/* Apps as texts. The text is JSON in the format of app files, which `slipway run --dryrun --json`
 * also prints as `app`. Later versions of Slipway read the texts of earlier ones. */
typedef struct slipway_host_app_text {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [any thread] Calls `on_text` once with the text of `app`, without the resources for single
   * schedulers (`scheduler_resources`), which the host has applied before it calls a scheduler.
   * SLIPWAY_E_INVALID: `metadata`, `capabilities` or `tags` of `app` are not JSON objects. */
  slipway_status (*write)(const slipway_host* host, const slipway_app_def* app,
                          slipway_on_str on_text, void* ctx, slipway_error* err);
  /* [any thread] Calls `on_app` once with the app in `text`, which is valid during the callback.
   * Does not validate the app, because the host validates an app before a scheduler can `write` it.
   * SLIPWAY_E_INVALID: the text is not an app, and the message has all reasons with line and
   * column; or a role has the name of a resource in place of its values. */
  slipway_status (*read)(const slipway_host* host, slipway_str text, slipway_on_app_def on_app,
                         void* ctx, slipway_error* err);
} slipway_host_app_text;
#define SLIPWAY_HOST_APP_TEXT_1_0_SIZE 24

/* ---- slipway.host.json/1 --------------------------------------------------------------------- */

#define SLIPWAY_HOST_JSON "slipway.host.json/1"

/* The kinds of JSON values. */
enum {
  SLIPWAY_JSON_NULL = 0,
  SLIPWAY_JSON_BOOL = 1,
  SLIPWAY_JSON_INTEGER = 2, /* a number without fraction and exponent that fits into int64_t */
  SLIPWAY_JSON_NUMBER = 3,  /* any other number */
  SLIPWAY_JSON_STRING = 4,
  SLIPWAY_JSON_ARRAY = 5,
  SLIPWAY_JSON_OBJECT = 6
};

/* A value in a JSON text. */
typedef struct slipway_json_value {
  uint32_t struct_size;
  int32_t kind;    /* SLIPWAY_JSON_* */
  slipway_str key; /* its name in an object; absent in arrays and for the value of `find` */
  /* The content of a string; the JSON text of any other value: "true", "-3", "[1,2]". */
  slipway_str text;
} slipway_json_value;
#define SLIPWAY_JSON_VALUE_1_0_SIZE 40

/* Receives a value, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_json_value)(void* ctx, const slipway_json_value* value);

/* Reads JSON texts, such as `config_json` of slipway_create_args. `pointer` names a value in the
 * text as RFC 6901 says: "/limits/memory"; an empty one names the whole text. */
typedef struct slipway_host_json {
  uint32_t struct_size;
  uint32_t reserved0;
  /* [any thread] Calls `on_value` once with the value. If the text has no such value, returns
   * SLIPWAY_OK without a callback. SLIPWAY_E_INVALID: the text is not JSON or has a number beyond
   * the range of double, or `pointer` is not empty and does not begin with '/'. */
  slipway_status (*find)(const slipway_host* host, slipway_str text, slipway_str pointer,
                         slipway_on_json_value on_value, void* ctx, slipway_error* err);
  /* [any thread] Calls `on_value` for each member of the object or element of the array, in the
   * order of the text. Calls nothing for a value of another kind or a missing value. Has the errors
   * of `find`. */
  slipway_status (*each)(const slipway_host* host, slipway_str text, slipway_str pointer,
                         slipway_on_json_value on_value, void* ctx, slipway_error* err);
} slipway_host_json;
#define SLIPWAY_HOST_JSON_1_0_SIZE 24

#ifdef __cplusplus
}
#endif

#endif
