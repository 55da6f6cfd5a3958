/* slipway/abi/base.h - the basic types and the rules of the binary contract.
 *
 * The headers in this folder are the whole contract between the host and a plug-in. They are C99,
 * compile as C++, and need only <stddef.h> and <stdint.h>. They are release candidate 1 of version
 * 1.0: complete, and changed before the freeze only if further plug-ins show a defect. The rules
 * below already apply.
 *
 * R1  A growable struct starts with `uint32_t struct_size`, its size in the headers of the side
 *     that made it. New fields are only appended.
 * R2  Other structs refer to a growable struct by pointer and never embed it. An array of growable
 *     structs has a stride, so that the element type may grow. Index with SLIPWAY_AT, never with
 *     `ptr[i]`.
 * R3  A struct marked FROZEN never changes within a major version.
 * R4  Neither side frees memory of the other. A function passes its results to a callback as
 *     borrowed views, which are valid until the callback returns. Inputs are valid until the call
 *     returns. The host copies errors.
 * R5  No exception, longjmp or thread cancellation crosses the boundary, in either direction.
 * R6  A function pointer that is NULL or beyond struct_size means "not implemented". The caller
 *     must check each function before it calls it, even a required one. Only the functions of
 *     slipway_host in version 1.0 need no check: every host has them.
 * R7  Strings are {ptr, len}, UTF-8, not NUL-terminated. ptr == NULL means "absent"; len == 0 with
 *     a pointer means "empty". Bytes of logs and paths of files need not be UTF-8. The conformance
 *     kit also passes the name of an image that is not UTF-8.
 * R8  Enumerations are passed as int32_t, and the other side may be newer. A host tolerates an
 *     unknown value in a result and shows it as unknown; what it makes of an unknown status or
 *     state is defined with slipway_status below and with the states in app.h. A plug-in refuses
 *     an order with an unknown value (a kind of mount, a retry policy, a stream, a format, a bit of
 *     SLIPWAY_MUST_UNDERSTAND in flags) with SLIPWAY_E_UNIMPLEMENTED, because to guess could do
 *     the wrong thing. It ignores the other unknown bits of flags, unknown bits of `want`, and
 *     fields beyond its own version. In the same way, a host does not use an object whose table has
 *     a bit of SLIPWAY_MUST_UNDERSTAND in flags that the host does not know, and ignores the other
 *     unknown bits.
 * R9  No struct has implicit padding. The writer sets `reserved` fields to zero; the reader ignores
 *     them.
 * R10 Zero means "not said" in every field, since fields that the other side does not know read as
 *     zero. Where zero says something, the field's text names another value, which is -1: the
 *     counts of a slipway_resource (as in TorchX) and of a slipway_workspace_result, the restarts
 *     of a slipway_description, the replica of a slipway_log_chunk and of a slipway_signal_result,
 *     descriptors, and the grace time of a cancel.
 *
 * Threads: calls on one object never overlap, except calls of functions marked [any thread]. Two
 * calls on one object may come from different threads; the second sees what the first one did.
 * Calls on different objects of one plug-in may overlap, and an iterator or subscription is an
 * object of its own: the host reads logs in one thread and describes the app in another. Callbacks
 * come in the thread of the call, before it returns, and never call the object again. A plug-in
 * calls the functions of the host in the thread of the call, or in any thread if they are marked
 * [any thread].
 *
 * The process belongs to the host. A plug-in writes nothing to stdout or stderr. It leaves the
 * working directory, umask, locale, environment and signal handlers as they are, and never exits.
 * It opens every descriptor with O_CLOEXEC, uses MSG_NOSIGNAL or an equivalent, and waits only for
 * its own child processes, by their pids. The host may have threads: between fork and exec, a child
 * calls only async-signal-safe functions. A process that outlives the call leaves the session
 * (setsid) and closes all descriptors that it does not need, so that `slipway run | cat` ends. A
 * plug-in starts threads only within a call, with all signals blocked, and ends them in `destroy`
 * at the latest.
 *
 * Names: ids that begin with "slipway." are defined here. The ids of others begin with a domain
 * that belongs to their author ("org.example.gpu_usage/1").
 *
 * Everything without a note "since" is part of version 1.0. */
#ifndef SLIPWAY_ABI_BASE_H
#define SLIPWAY_ABI_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The contract is for 64-bit POSIX systems. An array of negative size stops the compiler elsewhere:
 * with pointers of 32 bits some structs have implicit padding (R9). */
typedef char slipway_requires_64_bit_pointers[sizeof(void*) == 8 && sizeof(size_t) == 8 ? 1 : -1];

/* The entry symbol's name contains the major version. A new minor version only adds to the
 * contract. An author may define SLIPWAY_ABI_MINOR before including a header, or with
 * -DSLIPWAY_ABI_MINOR=0, to write for an earlier minor version: the headers then lack the
 * additions of later ones. */
#define SLIPWAY_ABI_MAJOR 1
#ifndef SLIPWAY_ABI_MINOR
#define SLIPWAY_ABI_MINOR 0
#endif

/* The number of this draft of version 1.0; release candidate 1 is draft 5. Until the freeze, a host
 * loads only plug-ins of its own draft. The frozen version has the number 0. */
#define SLIPWAY_ABI_DRAFT 5

/* The end of a field in its struct, in bytes: the smallest struct_size that contains the field. */
#define SLIPWAY_FIELD_END(T, f) (offsetof(T, f) + sizeof(((T*)0)->f))

/* Is nonzero if the object at `p`, which the other side made, has the field `f` (R1, R6). */
#define SLIPWAY_HAS(p, T, f) ((p)->struct_size >= SLIPWAY_FIELD_END(T, f))

/* Each growable struct has a constant SLIPWAY_<STRUCT>_1_0_SIZE, its struct_size in version 1.0. A
 * struct from the other side has at least this size, and a larger one only if the other side was
 * built for a later minor version in which the struct has grown. */

/* In C, initializes a growable struct: `slipway_description d = SLIPWAY_INIT(slipway_description);`
 * sets struct_size, and every other field to zero (R10). */
#ifndef __cplusplus
#define SLIPWAY_INIT(T) \
  { .struct_size = (uint32_t)sizeof(T) }
#endif

/* The bits of every word `flags` that the receiver must refuse if it does not know them (R8). */
#define SLIPWAY_MUST_UNDERSTAND 0xffff0000u

/* The i-th element of an array with a stride (R2), as `const T*`. */
#define SLIPWAY_AT(arr, T, i) \
  ((const T*)(const void*)((const char*)(const void*)(arr).ptr + (size_t)(i) * (arr).stride))

/* ---- status ---------------------------------------------------------------------------------- */

/* The outcome of a call. A negative status is an error, whose reason is in slipway_error. Other
 * statuses are not errors.
 *
 * Later versions may add statuses. The receiver treats a negative status that it does not know as
 * an error like any other, with the reason in slipway_error, and a positive one as SLIPWAY_OK.
 * SLIPWAY_E_PRIVATE and below are private to a plug-in: no version will give them a meaning. */
typedef int32_t slipway_status;
enum {
  SLIPWAY_OK = 0,
  SLIPWAY_END = 1,   /* the iterator or subscription has ended */
  SLIPWAY_AGAIN = 2, /* the wait that an argument allows (timeout_ms) has passed; call again */

  SLIPWAY_E_UNIMPLEMENTED = -1, /* the plug-in does not implement this */
  SLIPWAY_E_INVALID = -2,       /* an input is invalid: an app, a value, an image name */
  SLIPWAY_E_NOT_FOUND = -3,     /* no such file, app, image, role or replica */
  SLIPWAY_E_EXISTS = -4,        /* the name is already in use */
  SLIPWAY_E_PRECONDITION = -5,  /* the current state does not allow it: the app has not finished, a
                                   tool is not installed */
  SLIPWAY_E_DENIED = -6,        /* no permission */
  SLIPWAY_E_UNAVAILABLE = -7,   /* the engine or service behind the plug-in is unreachable */
  SLIPWAY_E_TIMEOUT = -8,       /* the deadline in slipway_call has passed */
  SLIPWAY_E_CANCELLED = -9,     /* the host asked the call to stop */
  SLIPWAY_E_INTERNAL = -10,     /* a defect in the plug-in or the host */
  SLIPWAY_E_ABI = -11,          /* the other side violated this contract */
  SLIPWAY_E_CANT_CREATE = -12,  /* an output (log directory, state file) cannot be created */
  SLIPWAY_E_CONFIG = -13,       /* a configuration file or the plug-in's configuration is invalid */
  SLIPWAY_E_USAGE = -14,        /* the command line or an app handle is malformed */
  SLIPWAY_E_TEMPORARY = -15,    /* the same call may succeed later */
  SLIPWAY_E_OUTCOME_UNKNOWN = -16, /* the change may have happened; look before repeating it */

  SLIPWAY_E_PRIVATE = -1000 /* the first of the statuses that are private to a plug-in */
};

/* ---- FROZEN building blocks ------------------------------------------------------------------ */

/* FROZEN. A borrowed string (R7). */
typedef struct slipway_str {
  const char* ptr;
  size_t len;
} slipway_str;

/* FROZEN. A pair of strings, such as an environment variable. */
typedef struct slipway_kv {
  slipway_str key;
  slipway_str value;
} slipway_kv;

/* FROZEN. A string and a number, such as a port with its name. */
typedef struct slipway_kv_i64 {
  slipway_str key;
  int64_t value;
} slipway_kv_i64;

/* Defines an array type, a FROZEN struct of a pointer to the first element, the number of elements,
 * and the distance between two elements in bytes. */
#define SLIPWAY_DEFINE_ARRAY(name, T) \
  typedef struct name {               \
    const T* ptr;                     \
    size_t count;                     \
    size_t stride;                    \
  } name

SLIPWAY_DEFINE_ARRAY(slipway_str_array, slipway_str);
SLIPWAY_DEFINE_ARRAY(slipway_kv_array, slipway_kv);
SLIPWAY_DEFINE_ARRAY(slipway_kv_i64_array, slipway_kv_i64);

/* Receives a result that is a string. Called once, or several times for the pieces of one string if
 * the function says so. If it returns a negative status, the function stops and returns that
 * status. The same is true for all callbacks of the contract. `ctx` is the pointer that the caller
 * of the function passed with the callback. */
typedef slipway_status (*slipway_on_str)(void* ctx, slipway_str value);

/* FROZEN, opaque, owned by the host: receives the reason of a failure; see slipway_host.error_set.
 */
typedef struct slipway_error slipway_error;

/* FROZEN, opaque, owned by the host: a request to stop a running call; see
 * slipway_host.cancel_requested. */
typedef struct slipway_cancel slipway_cancel;

/* The context of one call, valid until the call returns. A function that waits or takes longer than
 * a moment checks `cancel` and the deadline: it returns SLIPWAY_E_CANCELLED soon after
 * slipway_host.cancel_requested is nonzero, and SLIPWAY_E_TIMEOUT when the deadline passes, each
 * with a message. It leaves behind only what its comment allows after an error. */
typedef struct slipway_call {
  uint32_t struct_size;
  uint32_t reserved0;
  const slipway_cancel* cancel; /* NULL: the host never cancels the call */
  int64_t deadline_ns;          /* the deadline, in nanoseconds of CLOCK_MONOTONIC; 0: none */
} slipway_call;
#define SLIPWAY_CALL_1_0_SIZE 24

#ifdef __cplusplus
}
#endif

#endif
