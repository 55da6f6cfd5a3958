/* slipway/abi/base.h - what every part of the binary contract is made of.
 *
 * The headers in this folder are the whole contract between the host and a plug-in. They are C99,
 * compile as C++, and need nothing but <stddef.h> and <stdint.h>. The contract is a draft of 1.0
 * until its freeze is announced; the rules below hold already.
 *
 *  R1  A growable struct starts with `uint32_t struct_size`, the size its maker knew. Fields are
 *      only ever appended.
 *  R2  A growable struct is never embedded by value in another one, only pointed to; an array of
 *      them carries the stride of its elements, so that the element type may grow. Index with
 *      SLIPWAY_AT, never with `ptr[i]`.
 *  R3  A struct marked FROZEN never changes within a major version.
 *  R4  Nobody frees the other side's memory. Results are handed over as borrowed views through a
 *      callback and are valid until that callback returns; errors are copied by the host; inputs
 *      are valid until the call returns.
 *  R5  No exception, longjmp or thread cancellation crosses the boundary, in either direction.
 *  R6  A function pointer that is NULL, or that lies beyond struct_size, means "not implemented".
 *      This holds for functions described as required, too: the caller checks before it calls.
 *  R7  Strings are {ptr, len}, UTF-8, not NUL terminated. ptr == NULL is "absent", len == 0 with a
 *      pointer is "empty". Log bytes are the one exception from UTF-8: they are whatever the
 *      replica wrote.
 *  R8  Enumerations travel as int32_t. Unknown values are legal: tolerate them, never trap on them.
 *  R9  No struct has implicit padding; `reserved` fields are zero when written and ignored when
 *      read.
 *
 * Threads: calls on one object (a scheduler, an image provider, an iterator) never overlap, except
 * those marked [any thread]. Calls on different objects of one plug-in may overlap.
 */
#ifndef SLIPWAY_ABI_BASE_H
#define SLIPWAY_ABI_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The major version is part of the entry symbol's name; a minor version only ever adds. */
#define SLIPWAY_ABI_MAJOR 1
#define SLIPWAY_ABI_MINOR 0

/* End of a field within its struct, in bytes: the smallest struct_size that contains the field. */
#define SLIPWAY_FIELD_END(T, f) (offsetof(T, f) + sizeof(((T*)0)->f))

/* True when the object at `p`, made by the other side, has the field `f` (R1, R6). */
#define SLIPWAY_HAS(p, T, f) ((p)->struct_size >= SLIPWAY_FIELD_END(T, f))

/* The i-th element of an array that carries its stride (R2), as `const T*`. */
#define SLIPWAY_AT(arr, T, i) \
  ((const T*)(const void*)((const char*)(const void*)(arr).ptr + (size_t)(i) * (arr).stride))

/* ---- status ---------------------------------------------------------------------------------- */

/* The outcome of a call. Negative: an error, described through slipway_error. Zero or positive: not
 * an error. */
typedef int32_t slipway_status;
enum {
  SLIPWAY_OK = 0,
  SLIPWAY_END = 1,   /* an iterator has nothing more, ever */
  SLIPWAY_AGAIN = 2, /* the time allowed has passed; call again */

  SLIPWAY_E_UNIMPLEMENTED = -1, /* this plug-in, or this kind of scheduler, cannot do that */
  SLIPWAY_E_INVALID = -2,       /* the data given is wrong: an app, a value, an image name */
  SLIPWAY_E_NOT_FOUND = -3,     /* no such file, app, image, role, replica */
  SLIPWAY_E_EXISTS = -4,        /* something of that name is there already */
  SLIPWAY_E_PRECONDITION =
      -5, /* the state of things does not allow it now (app not finished, tool not installed) */
  SLIPWAY_E_DENIED = -6,       /* permission */
  SLIPWAY_E_UNAVAILABLE = -7,  /* the engine or service behind the plug-in cannot be reached */
  SLIPWAY_E_TIMEOUT = -8,      /* the deadline of the call passed */
  SLIPWAY_E_CANCELLED = -9,    /* the host asked the call to stop */
  SLIPWAY_E_INTERNAL = -10,    /* a defect in the plug-in or the host */
  SLIPWAY_E_ABI = -11,         /* the other side broke this contract */
  SLIPWAY_E_CANT_CREATE = -12, /* an output (log directory, state file) cannot be created */
  SLIPWAY_E_CONFIG = -13,      /* a configuration file or plug-in configuration is wrong */
  SLIPWAY_E_USAGE =
      -14, /* the command line or the way a function is used is wrong; a malformed app handle */
  SLIPWAY_E_TEMPORARY = -15 /* the same call may well succeed later */
};

/* ---- FROZEN building blocks ------------------------------------------------------------------ */

/* FROZEN. A borrowed string (R7). */
typedef struct slipway_str {
  const char* ptr;
  size_t len;
} slipway_str;

/* FROZEN. A pair of strings: an environment variable, a piece of metadata. */
typedef struct slipway_kv {
  slipway_str key;
  slipway_str value;
} slipway_kv;

/* FROZEN. A string and a number: a port, a device count. */
typedef struct slipway_kv_i64 {
  slipway_str key;
  int64_t value;
} slipway_kv_i64;

/* Arrays are FROZEN triples: the first element, how many there are, and the distance between two in
 * bytes. */
#define SLIPWAY_DEFINE_ARRAY(name, T) \
  typedef struct name {               \
    const T* ptr;                     \
    size_t count;                     \
    size_t stride;                    \
  } name

SLIPWAY_DEFINE_ARRAY(slipway_str_array, slipway_str);
SLIPWAY_DEFINE_ARRAY(slipway_kv_array, slipway_kv);
SLIPWAY_DEFINE_ARRAY(slipway_kv_i64_array, slipway_kv_i64);

/* A result that is one string; called once per result, or several times where the function says so
 * (the pieces are then concatenated). A negative return means "stop": the plug-in returns that
 * status unchanged. */
typedef slipway_status (*slipway_on_str)(void* ctx, slipway_str value);

/* A result that is a pair of strings. */
typedef slipway_status (*slipway_on_kv)(void* ctx, slipway_str key, slipway_str value);

/* FROZEN, opaque, host owned: where a failing call leaves its reason; see slipway_host.error_set.
 */
typedef struct slipway_error slipway_error;

/* FROZEN, opaque, host owned: how the host asks a running call to stop; see
 * slipway_host.cancel_requested. */
typedef struct slipway_cancel slipway_cancel;

/* The context of one call. `deadline_ns` is on CLOCK_MONOTONIC, 0 when there is none. `cancel` may
 * be NULL. */
typedef struct slipway_call {
  uint32_t struct_size;
  uint32_t reserved0;
  const slipway_cancel* cancel;
  int64_t deadline_ns;
} slipway_call;

#ifdef __cplusplus
}
#endif

#endif
