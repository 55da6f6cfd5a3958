// Functions that sanitizers leave alone.
#pragma once

/// SLIPWAY_SANITIZED: this is a build in which a sanitizer looks at memory.
///
/// SLIPWAY_UNSANITIZED: put before a function that runs in a child between vfork and exec, on
/// memory that it shares with its parent: what a sanitizer writes down there would be found by the
/// parent. Nothing in builds without sanitizers.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLIPWAY_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLIPWAY_SANITIZED 1
#endif
#endif

#ifdef SLIPWAY_SANITIZED
#define SLIPWAY_UNSANITIZED __attribute__((no_sanitize("address", "undefined", "thread")))
#else
#define SLIPWAY_UNSANITIZED
#endif
