// The host that the kit plays: it offers what a host must and no more, and remembers what it was told.
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
  /// [any thread] Asks the calls that carry it to stop.
  void request();

  std::atomic<int> requested{0};
  slipway::OwnedFd event;
};

namespace slipway::check {

/// The table, made once per process and never freed. State goes below `state_dir`. Its services know no image provider,
/// no resource and no device. With `poor`, there are no services at all: a plug-in must be told, not crash.
const slipway_host* kit_host(const std::string& state_dir, bool poor = false);

/// A result that came as text, and how often the callback ran; `stop` is what the callback answers.
struct TextSink {
  std::string text;
  int calls = 0;
  slipway_status stop = SLIPWAY_OK;
  static slipway_status take(void* self, slipway_str value);
};

}  // namespace slipway::check
