#include "plugins/local/supervisor/probing/log_probe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <string_view>

#include "plugins/local/engine/clocks.hpp"
#include "sdk/support/line_cut.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

// Limits of one call, so that it does not delay the event loop.
constexpr std::size_t kLookBytes = 256 * 1024;
constexpr std::int64_t kLongestNs = 5'000'000;

}  // namespace

LogScan scan_log(int root_fd, const std::string& path, LinePattern& pattern,
                 std::uint64_t& offset) {
  const OwnedFd fd(::openat(root_fd, path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  const off_t data = fd ? ::lseek(fd.get(), static_cast<off_t>(offset), SEEK_DATA) : -1;
  if (data < 0) return LogScan::kNoMatch;
  offset = static_cast<std::uint64_t>(data);
  std::string buffer(kLookBytes, '\0');
  const ssize_t n = ::pread(fd.get(), buffer.data(), buffer.size(), data);
  if (n <= 0) return LogScan::kNoMatch;
  std::string_view rest(buffer.data(), static_cast<std::size_t>(n));
  const bool full = rest.size() == kLookBytes;
  rest = rest.substr(0, whole_lines(rest, false));
  const std::int64_t until = boottime_ns() + kLongestNs;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end == rest.npos ? end : end + 1);
    offset += line.size();
    rest.remove_prefix(line.size());
    if (pattern.search(line) == LinePattern::Result::kYes) return LogScan::kFound;
    if (!rest.empty() && boottime_ns() > until) return LogScan::kMore;
  }
  return full ? LogScan::kMore : LogScan::kNoMatch;
}

}  // namespace slipway::local
