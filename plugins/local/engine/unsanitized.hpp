// Functions that sanitizers leave alone.
#pragma once

/// Put before a function that runs in a child between vfork and exec, on memory that it shares with its parent: what a
/// sanitizer writes down there would be found by the parent. Nothing in builds without sanitizers.
#if defined(__SANITIZE_ADDRESS__)
#define SLIPWAY_UNSANITIZED __attribute__((no_sanitize("address", "undefined")))
#else
#define SLIPWAY_UNSANITIZED
#endif
