/* slipway/abi/options.h - run options: what a scheduler declares, and the typed values that it is
 * given. */
#ifndef SLIPWAY_ABI_OPTIONS_H
#define SLIPWAY_ABI_OPTIONS_H

#include "slipway/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Type of a run option's or component parameter's value. LIST is a list of strings, DICT maps
 * strings to strings. NONE appears only as the type of a value: the option was set to null. */
enum {
  SLIPWAY_TYPE_STR = 0,
  SLIPWAY_TYPE_INT = 1,
  SLIPWAY_TYPE_FLOAT = 2,
  SLIPWAY_TYPE_BOOL = 3,
  SLIPWAY_TYPE_LIST = 4,
  SLIPWAY_TYPE_DICT = 5,
  SLIPWAY_TYPE_NONE = 6
};

/* One value, already of the declared type and with defaults filled in by the host; `type` says
 * which field counts: STR `text`, INT and BOOL `integer`, FLOAT `real`, LIST `list`, DICT `dict`.
 * Keys that were not declared are passed on (TorchX does so): ignore what you do not know. */
typedef struct slipway_cfg_entry {
  uint32_t struct_size;
  int32_t type;
  slipway_str key;
  int64_t integer;
  double real;
  slipway_str text;
  slipway_str_array list;
  slipway_kv_array dict;
} slipway_cfg_entry;
SLIPWAY_DEFINE_ARRAY(slipway_cfg, slipway_cfg_entry);

/* One declared option. `default_value` is a value of the option's type (its key does not count),
 * NULL when there is none. A required option has no default. */
typedef struct slipway_run_opt {
  uint32_t struct_size;
  int32_t type;
  slipway_str name;
  slipway_str help;
  const slipway_cfg_entry* default_value;
  int32_t required;
  int32_t reserved0;
} slipway_run_opt;

typedef slipway_status (*slipway_on_run_opt)(void* ctx, const slipway_run_opt* opt);

#ifdef __cplusplus
}
#endif

#endif
