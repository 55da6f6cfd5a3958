// The host that the kit plays. It reads each text that the plug-in passes to it, so that an invalid
// pointer or length crashes there. It has every service of slipway/abi unless it is `poor`.
#pragma once

#include <string>
#include <string_view>

#include "core/registry/calls/call_context.hpp"  // slipway_cancel: checks create it
#include "core/registry/calls/call_error.hpp"    // slipway_error, which all calls get
#include "slipway/abi/host.h"

namespace slipway::check {

/// Returns a new table of the host, which is never freed. Its service for the state directory
/// returns `state_dir`; its other services know no image provider, no resource and no device. With
/// `poor`, it has no services, because a host may lack them.
const slipway_host* kit_host(const std::string& state_dir, bool poor = false);

/// Returns whether the host accepts the text as a JSON object.
bool is_json_object(std::string_view text);

/// Receives a text result and counts the calls of the callback, which returns `stop`.
struct TextSink {
  std::string text;
  int calls = 0;
  slipway_status stop = SLIPWAY_OK;
  static slipway_status take(void* self, slipway_str value);
};

}  // namespace slipway::check
