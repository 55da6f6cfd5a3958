#include "plugins/docker/images/progress.hpp"

#include <poll.h>

#include <boost/json.hpp>
#include <string_view>

#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

constexpr std::size_t kLongestLine = std::size_t{16} << 20;  // bytes; protects the memory

/// Removes the whole lines from `bytes`, and calls `on_object` for those that are JSON objects.
void take_lines(std::string& bytes,
                const std::function<void(const boost::json::object&)>& on_object) {
  std::size_t start = 0;
  for (std::size_t end = 0; (end = bytes.find('\n', start)) != std::string::npos; start = end + 1) {
    boost::system::error_code error;
    const boost::json::value line =
        boost::json::parse(std::string_view(bytes).substr(start, end - start), error);
    if (!error && line.is_object()) on_object(line.get_object());
  }
  bytes.erase(0, start);
  if (bytes.size() > kLongestLine) {
    throw Error(Code::kTemporary, "the Docker engine's answer is too long: a line without an end",
                "see whether another program listens on the engine's socket");
  }
}

}  // namespace

void PacedReports::say(const std::string& message) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kPause;
  host_.log(LogLevel::kInfo, message);
}

void read_progress(AnswerStream& stream, Patience patience,
                   const std::function<void(const boost::json::object&)>& on_object) {
  std::string bytes;
  while (stream.read(bytes)) {
    take_lines(bytes, on_object);
    pollfd fds[2] = {{stream.fd(), POLLIN, 0}, {patience.cancel_fd(), POLLIN, 0}};
    if (::poll(fds, 2, patience.left_ms()) > 0) patience.refresh();
  }
  bytes += '\n';  // the last line may have no end
  take_lines(bytes, on_object);
}

}  // namespace slipway::docker
