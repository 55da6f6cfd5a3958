// The host that the kit plays. It offers only what a host must offer, and stores what the plug-in
// passes to it.
#pragma once

#include <atomic>
#include <string>

#include "slipway/abi/host.h"
#include "slipway/owned_fd.hpp"

/// The object behind the ABI's opaque slipway_error.
struct slipway_error {
  slipway_status code = SLIPWAY_OK;
  std::string message;
  std::string hint;
};

/// The object behind the ABI's opaque slipway_cancel.
struct slipway_cancel {
  slipway_cancel();
  /// [any thread] Requests the calls with this object to stop.
  void request();

  std::atomic<int> requested{0};
  slipway::OwnedFd event;
};

namespace slipway::check {

/// Returns the host's table, which is created once per process and never freed. State is below
/// `state_dir`. Its services know no image provider, no resource and no device. With `poor`, the
/// host has no services at all.
const slipway_host* kit_host(const std::string& state_dir, bool poor = false);

/// Receives a text result and counts the calls of the callback, which returns `stop`.
struct TextSink {
  std::string text;
  int calls = 0;
  slipway_status stop = SLIPWAY_OK;
  static slipway_status take(void* self, slipway_str value);
};

}  // namespace slipway::check
