/* slipway/abi/app.h - an app with its roles, resources and mounts, as views (base.h, R1-R10). The
 * fields have the names and defaults of TorchX, PyTorch's app launcher.
 *
 * A host checks an app before it passes it to submit_dryrun of a scheduler. The names of the app
 * and of its roles can name files: 1 to 240 bytes for the app and 1 to 255 for a role, UTF-8, no
 * '/', no control or invisible character, no leading '.'. Programs, arguments, variables, images
 * and paths of mounts contain no NUL. All fields are in the ranges that their comments below give.
 * A scheduler refuses with SLIPWAY_E_INVALID what its engine cannot run. It also refuses an app
 * without roles: a host never passes one, but the conformance kit does. */
#ifndef SLIPWAY_ABI_APP_H
#define SLIPWAY_ABI_APP_H

#include "slipway/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of an app or replica. An app goes forward only: UNSUBMITTED (which no scheduler
 * reports), SUBMITTED (recorded, not with the engine yet), PENDING (waits for the engine), RUNNING,
 * then one of the terminal states SUCCEEDED, FAILED and CANCELLED, which never changes again. It
 * may skip states. Only a retry moves it back: an app that is retried is PENDING or RUNNING.
 * UNKNOWN is not terminal: the scheduler cannot determine the state at the moment. If an UNKNOWN
 * app has a `finished_at_ns`, the app has ended, and its outcome is lost.
 *
 * Later versions may add states. A terminal one has the bit SLIPWAY_STATE_TERMINAL, and a host that
 * does not know it reads it as FAILED. A host reads any other state that it does not know as
 * UNKNOWN. States with the bit SLIPWAY_STATE_PRIVATE are private to a scheduler and the programs
 * that know it: no version will give them a meaning, and hosts read them by the same rule. */
enum {
  SLIPWAY_STATE_UNSUBMITTED = 0,
  SLIPWAY_STATE_SUBMITTED = 1,
  SLIPWAY_STATE_PENDING = 2,
  SLIPWAY_STATE_RUNNING = 3,
  SLIPWAY_STATE_SUCCEEDED = 4,
  SLIPWAY_STATE_FAILED = 5,
  SLIPWAY_STATE_CANCELLED = 6,
  SLIPWAY_STATE_UNKNOWN = 7,

  SLIPWAY_STATE_TERMINAL = 0x100,    /* the bit of terminal states after those above */
  SLIPWAY_STATE_PRIVATE = 0x40000000 /* the bit of states that are private to a scheduler */
};

/* What the scheduler restarts if a replica fails and retries remain: every replica of the app, the
 * failed one alone, or every replica of its role. */
enum { SLIPWAY_RETRY_APPLICATION = 0, SLIPWAY_RETRY_REPLICA = 1, SLIPWAY_RETRY_ROLE = 2 };

/* Kinds of mounts; see slipway_mount. */
enum { SLIPWAY_MOUNT_BIND = 0, SLIPWAY_MOUNT_VOLUME = 1, SLIPWAY_MOUNT_DEVICE = 2 };

/* What each replica of a role needs. -1 means "not set". A resource whose `cpu`, `gpu` and `mem_mb`
 * are -1 is TorchX's NULL_RESOURCE. */
typedef struct slipway_resource {
  uint32_t struct_size;
  int32_t cpu; /* number of CPUs, rounded up, or -1 */
  int32_t gpu; /* number of GPUs, or -1 */
  int32_t reserved0;
  /* Thousandths of a CPU, if the number of CPUs is not a whole one: 500 for half a CPU, with a
   * `cpu` of 1. 0: `cpu` is the exact number. A reader that knows both fields uses this one if it
   * is not 0. */
  int64_t cpu_milli;
  int64_t mem_mb;                /* memory in MiB, or -1 */
  slipway_str capabilities_json; /* a JSON object of values for schedulers, or absent */
  slipway_kv_i64_array devices;  /* number of devices by name, such as "vpc.amazonaws.com/efa" */
  slipway_str tags_json;         /* a JSON object of values for the site, or absent */
} slipway_resource;
#define SLIPWAY_RESOURCE_1_0_SIZE 88

/* A file tree of the machine that appears inside a replica. The host checks that `src` and `dst`
 * are not empty. */
typedef struct slipway_mount {
  uint32_t struct_size;
  int32_t kind;            /* SLIPWAY_MOUNT_* */
  slipway_str src;         /* BIND: a path; VOLUME: the volume's name; DEVICE: the device file */
  slipway_str dst;         /* the path in the replica */
  slipway_str permissions; /* DEVICE: a subset of "rwm" (read, write, mknod); others: ignored */
  int32_t read_only;       /* BIND, VOLUME: nonzero: the replica must not write to it */
  int32_t reserved0;
} slipway_mount;
#define SLIPWAY_MOUNT_1_0_SIZE 64
SLIPWAY_DEFINE_ARRAY(slipway_mount_array, slipway_mount);

/* The resource that a role needs on one scheduler instead of its `resource`. A component may return
 * it. Schedulers do not see it: before submit_dryrun, the host makes it the role's `resource`. */
typedef struct slipway_scheduler_resource {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str scheduler;            /* name of the scheduler's provider */
  const slipway_resource* resource; /* never NULL */
} slipway_scheduler_resource;
#define SLIPWAY_SCHEDULER_RESOURCE_1_0_SIZE 32
SLIPWAY_DEFINE_ARRAY(slipway_scheduler_resource_array, slipway_scheduler_resource);

/* A program that runs as `num_replicas` equal processes, numbered from 0. scheduler.h says which
 * strings contain macros. */
typedef struct slipway_role {
  uint32_t struct_size;
  int32_t retry_policy;   /* SLIPWAY_RETRY_* */
  slipway_str name;       /* unique in the app */
  slipway_str image;      /* the scheduler decides what it names; may be empty */
  slipway_str base_image; /* absent if it is not set; TorchX's field, for information */
  slipway_str entrypoint; /* the program: a path, or a name to look up in PATH; no shell command */
  slipway_str_array args; /* arguments after the program's name */
  slipway_kv_array env;   /* variables for the environment; names are unique and have no '=' */
  int32_t num_replicas;   /* 1 to 1,000,000 */
  int32_t min_replicas;   /* number of replicas with which the app can continue; 0: not set */
  int32_t max_retries;    /* restarts, after failures, of what `retry_policy` names; 0: none */
  int32_t reserved0;
  const slipway_resource* resource; /* NULL if it is not set */
  slipway_kv_i64_array port_map;    /* ports by name, 0 to 65535; 0 asks for a free one */
  slipway_mount_array mounts;
  slipway_str metadata_json; /* a JSON object of values for schedulers, or absent */
  slipway_scheduler_resource_array scheduler_resources; /* only in apps of components */
  slipway_str deployment_preference; /* of TSM, TorchX's ancestor, for information; or absent */
} slipway_role;
#define SLIPWAY_ROLE_1_0_SIZE 248
SLIPWAY_DEFINE_ARRAY(slipway_role_array, slipway_role);

/* An app: roles that are submitted, succeed and fail together. */
typedef struct slipway_app_def {
  uint32_t struct_size;
  uint32_t reserved0;
  slipway_str name;          /* the beginning of the app's id */
  slipway_role_array roles;  /* at least one, with unique names */
  slipway_kv_array metadata; /* values of the user, for information */
} slipway_app_def;
#define SLIPWAY_APP_DEF_1_0_SIZE 72

/* Receives an app, which is valid until the callback returns (R4). */
typedef slipway_status (*slipway_on_app_def)(void* ctx, const slipway_app_def* app);

#ifdef __cplusplus
}
#endif

#endif
