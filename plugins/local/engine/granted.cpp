#include "plugins/local/engine/granted.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string_view>

#include "plugins/local/engine/checksum.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "slipway/json_text.hpp"

namespace slipway::local {

namespace {

constexpr std::string_view kChecksum = "crc32 ";

/// The last line of a file whose other lines are `text`.
std::string checksum_line(std::string_view text) {
  char line[32];
  std::snprintf(line, sizeof line, "%s%08x\n", kChecksum.data(), crc32(text));
  return line;
}

}  // namespace

Granted granted_ports(const LaunchPlan& plan) {
  Granted out;
  std::uint32_t index = 0;
  for (const LaunchGroup& group : plan.groups) {
    std::string text;
    for (const auto& [name, number] : group.ports)
      text += (text.empty() ? "{" : ",") + json_quote(name) + ':' + std::to_string(number);
    for (std::int32_t k = 0; k < group.count; ++k, ++index) {
      if (!text.empty()) out.emplace(index, text + '}');
    }
  }
  return out;
}

bool write_granted(int dir_fd, const char* name, const Granted& granted) {
  std::string text;
  for (const auto& [index, what] : granted) text += std::to_string(index) + ' ' + what + '\n';
  text += checksum_line(text);
  const std::string draft = '.' + std::string(name);
  ::unlinkat(dir_fd, draft.c_str(), 0);
  return write_new_file(dir_fd, draft.c_str(), text) &&
         ::renameat(dir_fd, draft.c_str(), dir_fd, name) == 0;
}

bool read_granted(int dir_fd, const char* name, Granted& out) {
  constexpr std::size_t kMost = 256U << 20U;
  std::string text;
  if (!read_file(dir_fd, name, kMost, text)) return false;
  const std::size_t last = text.rfind(kChecksum);
  if (last == std::string::npos || text.substr(last) != checksum_line(text.substr(0, last)))
    return errno = EBADMSG, false;
  text.resize(last);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;
    const std::string_view line(text.data() + at, end - at);
    at = end + 1;
    std::uint32_t index = 0;
    const auto [after, error] = std::from_chars(line.data(), line.data() + line.size(), index);
    if (error != std::errc() || after == line.data() + line.size() || *after != ' ') continue;
    out.emplace(index, line.substr(static_cast<std::size_t>(after - line.data()) + 1));
  }
  return true;
}

}  // namespace slipway::local
