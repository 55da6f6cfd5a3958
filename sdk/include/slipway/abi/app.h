/* slipway/abi/app.h - an app with its roles, resources and mounts, as views (base.h, R1-R10). Names
 * and defaults are those of TorchX. */
#ifndef SLIPWAY_ABI_APP_H
#define SLIPWAY_ABI_APP_H

#include "slipway/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of an app or replica. UNKNOWN is not terminal: the scheduler cannot determine the state
 * at the moment.
 *
 * Later versions may add states. A terminal one has the bit SLIPWAY_STATE_TERMINAL, and a host that
 * does not know it reads it as FAILED. A host reads any other state that it does not know as
 * UNKNOWN. */
enum {
  SLIPWAY_STATE_UNSUBMITTED = 0,
  SLIPWAY_STATE_SUBMITTED = 1,
  SLIPWAY_STATE_PENDING = 2,
  SLIPWAY_STATE_RUNNING = 3,
  SLIPWAY_STATE_SUCCEEDED = 4,
  SLIPWAY_STATE_FAILED = 5,
  SLIPWAY_STATE_CANCELLED = 6,
  SLIPWAY_STATE_UNKNOWN = 7,

  SLIPWAY_STATE_TERMINAL = 0x100 /* the bit of terminal states after those above */
};

/* What the scheduler restarts if a replica fails and retries remain. */
enum { SLIPWAY_RETRY_APPLICATION = 0, SLIPWAY_RETRY_REPLICA = 1, SLIPWAY_RETRY_ROLE = 2 };

/* Kinds of mounts; see slipway_mount. */
enum { SLIPWAY_MOUNT_BIND = 0, SLIPWAY_MOUNT_VOLUME = 1, SLIPWAY_MOUNT_DEVICE = 2 };

/* The CPUs, GPUs, memory and devices for one replica. A count of -1 means "not set". A resource
 * whose three counts are -1 is TorchX's NULL_RESOURCE. `mem_mb` is in MiB. The *_json fields are
 * texts of JSON objects, or absent. */
typedef struct slipway_resource {
  uint32_t struct_size;
  int32_t cpu;
  int32_t gpu;
  int32_t reserved0;
  int64_t mem_mb;
  slipway_str capabilities_json;
  slipway_kv_i64_array devices;
  slipway_str tags_json;
} slipway_resource;
#define SLIPWAY_RESOURCE_1_0_SIZE 80

/* A bind mount (`src` and `dst` are paths), a volume mount (`src` is the name of a volume) or a
 * device mount (both are paths of devices, and `permissions` is a subset of "rwm"). */
typedef struct slipway_mount {
  uint32_t struct_size;
  int32_t kind;
  slipway_str src;
  slipway_str dst;
  slipway_str permissions;
  int32_t read_only;
  int32_t reserved0;
} slipway_mount;
#define SLIPWAY_MOUNT_1_0_SIZE 64
SLIPWAY_DEFINE_ARRAY(slipway_mount_array, slipway_mount);

/* The resource of a role on one scheduler, which replaces its `resource` there. A component may
 * return it. Schedulers do not see it, because the host resolves it before submit_dryrun. */
typedef struct slipway_scheduler_resource {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str scheduler;
  const slipway_resource* resource;
} slipway_scheduler_resource;
#define SLIPWAY_SCHEDULER_RESOURCE_1_0_SIZE 32
SLIPWAY_DEFINE_ARRAY(slipway_scheduler_resource_array, slipway_scheduler_resource);

/* A program that runs as `num_replicas` replicas. `min_replicas` is 0 if it is not set. `resource`
 * is NULL if it is not set. `metadata_json` is the text of a JSON object, or absent. Strings may
 * contain macros (slipway/macros.hpp). */
typedef struct slipway_role {
  uint32_t struct_size;
  int32_t retry_policy;
  slipway_str name;
  slipway_str image;
  slipway_str base_image;
  slipway_str entrypoint;
  slipway_str_array args;
  slipway_kv_array env;
  int32_t num_replicas;
  int32_t min_replicas;
  int32_t max_retries;
  int32_t reserved0;
  const slipway_resource* resource;
  slipway_kv_i64_array port_map;
  slipway_mount_array mounts;
  slipway_str metadata_json;
  slipway_scheduler_resource_array scheduler_resources;
  slipway_str deployment_preference; /* TSM's; absent when empty. Slipway only keeps it. */
} slipway_role;
#define SLIPWAY_ROLE_1_0_SIZE 248
SLIPWAY_DEFINE_ARRAY(slipway_role_array, slipway_role);

typedef struct slipway_app_def {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str name;
  slipway_role_array roles;
  slipway_kv_array metadata;
} slipway_app_def;
#define SLIPWAY_APP_DEF_1_0_SIZE 72

typedef slipway_status (*slipway_on_app_def)(void* ctx, const slipway_app_def* app);

#ifdef __cplusplus
}
#endif

#endif
