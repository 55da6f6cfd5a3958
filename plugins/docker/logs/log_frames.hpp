// The frames of the engine's log streams.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "slipway/logs.hpp"

namespace slipway::docker {

/// Splits the bytes of a log into frames. Each frame belongs to a stream, and has a message that
/// starts with the engine's timestamp. A long line comes in several messages.
class LogFrames {
 public:
  /// Receives the stream (kStdout for every stream but stderr), the time (nullopt if the message
  /// has none) and the message without its timestamp.
  using OnMessage = std::function<void(Stream, TimeNs, std::string_view)>;

  /// Reads the whole frames at the start of `bytes` and removes them. Throws Error kTemporary for
  /// bytes that are not frames.
  void read(std::string& bytes, const OnMessage& on_message) const;
};

}  // namespace slipway::docker
