// The frames of the engine's log streams.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "slipway/logs.hpp"

namespace slipway::docker {

/// Splits a stream into its frames. Each has a stream, and a message with the engine's timestamp in
/// front. A long line comes in several messages.
class LogFrames {
 public:
  using OnMessage = std::function<void(Stream, TimeNs, std::string_view)>;

  /// Reads the whole frames at the start of `bytes` and removes them. Throws Error kTemporary for
  /// what are no frames.
  void read(std::string& bytes, const OnMessage& on_message) const;
};

}  // namespace slipway::docker
