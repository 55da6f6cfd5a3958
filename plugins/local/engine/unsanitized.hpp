// SLIPWAY_SANITIZED is defined in builds with AddressSanitizer or ThreadSanitizer.
//
// SLIPWAY_UNSANITIZED excludes a function from sanitizers. For functions that run in a child
// between vfork() and exec(): they share the memory of the parent, which must not see what a
// sanitizer writes there about the child. Empty in other builds.
#pragma once

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
