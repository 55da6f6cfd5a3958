#include "plugins/docker/logs/log_frames.hpp"

#include <cstddef>

#include "plugins/docker/engine/engine_time.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

// The header of a frame: the number of its stream, three zeros, and the size of its message in
// bytes, big-endian. The streams are those of a process, and 3 for errors of the engine. A larger
// size than kMostBytes is damage, because the engine splits long lines.
constexpr std::size_t kHeader = 8;
constexpr int kLargestStream = 3;
constexpr std::size_t kMostBytes = std::size_t{16} << 20;
// The log driver `local` of engines before 24.0.8 writes times in the engine's time zone.
constexpr std::size_t kMostTimeBytes =
    std::string_view("2026-11-24T19:55:31.516327931+01:00").size();
constexpr int kStderrNumber = 2;

/// Returns the size in the header at `at`.
std::size_t size_in(const std::string& bytes, std::size_t at) {
  std::size_t out = 0;
  for (std::size_t i = at + 4; i < at + kHeader; ++i)
    out = out << 8 | static_cast<unsigned char>(bytes[i]);
  return out;
}

}  // namespace

void LogFrames::read(std::string& bytes, const OnMessage& on_message) const {
  std::size_t at = 0;
  while (bytes.size() - at >= kHeader) {
    const int stream = static_cast<unsigned char>(bytes[at]);
    const std::size_t size = size_in(bytes, at);
    if (stream > kLargestStream || size > kMostBytes) {
      throw Error(Code::kTemporary, "the Docker engine's log has a damaged frame",
                  "read the log again; `docker logs` shows whether the engine can read it");
    }
    if (bytes.size() - at - kHeader < size) break;
    std::string_view message = std::string_view(bytes).substr(at + kHeader, size);
    at += kHeader + size;
    const std::size_t blank = message.substr(0, kMostTimeBytes + 1).find(' ');
    TimeNs time;
    if (blank != std::string_view::npos) time = parse_time(message.substr(0, blank));
    if (time) message.remove_prefix(blank + 1);
    on_message(stream == kStderrNumber ? Stream::kStderr : Stream::kStdout, time, message);
  }
  bytes.erase(0, at);
}

}  // namespace slipway::docker
