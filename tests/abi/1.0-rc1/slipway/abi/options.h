/* slipway/abi/options.h - run options: the declarations of a scheduler, and the typed values that
 * the host passes to it. */
#ifndef SLIPWAY_ABI_OPTIONS_H
#define SLIPWAY_ABI_OPTIONS_H

#include "slipway/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of a run option or component parameter. LIST is a list of strings; DICT maps strings to
 * strings. NONE occurs only as the type of a value that was set to null. */
enum {
  SLIPWAY_TYPE_STR = 0,
  SLIPWAY_TYPE_INT = 1,
  SLIPWAY_TYPE_FLOAT = 2,
  SLIPWAY_TYPE_BOOL = 3,
  SLIPWAY_TYPE_LIST = 4,
  SLIPWAY_TYPE_DICT = 5,
  SLIPWAY_TYPE_NONE = 6
};

/* One value of an option. The host has converted it to the declared type and added the defaults: a
 * declared option without a value has type NONE, or is missing. Like TorchX, the host also passes
 * keys that were not declared, which a plug-in ignores. Only the field that `type` selects has a
 * value. */
typedef struct slipway_cfg_entry {
  uint32_t struct_size;
  int32_t type;           /* SLIPWAY_TYPE_* */
  slipway_str key;        /* the name of the option */
  int64_t integer;        /* INT; BOOL: 0 or 1 */
  double real;            /* FLOAT */
  slipway_str text;       /* STR */
  slipway_str_array list; /* LIST */
  slipway_kv_array dict;  /* DICT */
} slipway_cfg_entry;
#define SLIPWAY_CFG_ENTRY_1_0_SIZE 104
SLIPWAY_DEFINE_ARRAY(slipway_cfg_array, slipway_cfg_entry);

/* The values of one scheduler's run options, or of one component's parameters. */
typedef struct slipway_cfg {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_cfg_array entries; /* one for each key */
} slipway_cfg;
#define SLIPWAY_CFG_1_0_SIZE 32

/* What the host does with an option besides passing it on.
 *
 * WORKSPACE_DIR (type STR): if the user runs an app with a workspace, the host makes the copy of
 * the workspace in the directory that the option names, and sets the option to the path of the
 * copy. At most one option of a scheduler has this meaning. Without such an option, or if it has
 * no value, the copy is made in the scheduler's state directory.
 *
 * A host treats a meaning that it does not know as NONE. */
enum { SLIPWAY_MEANING_NONE = 0, SLIPWAY_MEANING_WORKSPACE_DIR = 1 };

/* One declared option. The name of an option has no meaning for the host. */
typedef struct slipway_run_opt {
  uint32_t struct_size;
  int32_t type;                           /* SLIPWAY_TYPE_*, but not NONE */
  slipway_str name;                       /* unique in the scheduler; users write `-c NAME=VALUE` */
  slipway_str help;                       /* one line for users */
  const slipway_cfg_entry* default_value; /* of the option's type; `key` is ignored; or NULL */
  int32_t required;                       /* nonzero: the user must set it, and it has no default */
  int32_t meaning;                        /* SLIPWAY_MEANING_* */
} slipway_run_opt;
#define SLIPWAY_RUN_OPT_1_0_SIZE 56

/* Receives an option, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_run_opt)(void* ctx, const slipway_run_opt* opt);

#ifdef __cplusplus
}
#endif

#endif
