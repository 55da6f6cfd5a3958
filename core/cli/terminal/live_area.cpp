#include "core/cli/terminal/live_area.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <mutex>

#include "core/cli/terminal/standard_streams.hpp"

namespace slipway::cli {

namespace {

// A thread that reads logs may outlive main(), so the mutex is never destroyed.
std::mutex& terminal() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}
std::atomic<LiveArea*> current{nullptr};  // the only area, or null; changes only under the mutex

constexpr std::size_t kLongestLine = 4096;  // bytes, more than fit into a row of a terminal

/// Returns the length of the escape sequence at the start of `text`.
std::size_t escape_size(std::string_view text) {
  if (text.size() < 2 || text[1] != '[') return std::min<std::size_t>(text.size(), 2);
  for (std::size_t i = 2; i < text.size(); ++i)
    if (text[i] >= '@' && text[i] <= '~') return i + 1;
  return text.size();
}

/// Returns whether the escape sequence sets colours and other attributes of the text after it.
bool sets_attributes(std::string_view sequence) {
  return sequence.starts_with("\x1b[") &&
         sequence.find_first_not_of("0123456789;:", 2) == sequence.size() - 1 &&
         sequence.ends_with('m');
}

/// Returns whether `text` starts with one of the control characters U+0080 to U+009F in UTF-8. Some
/// terminals obey them.
bool is_c1_control(std::string_view text) {
  return text.size() >= 2 && text[0] == '\xc2' && static_cast<unsigned char>(text[1]) < 0xa0;
}

/// Returns the start of the line, without control characters except sequences that set attributes.
std::string without_cursor_moves(std::string_view line) {
  std::string out;
  line = line.substr(0, kLongestLine);
  while (!line.empty()) {
    const auto byte = static_cast<unsigned char>(line.front());
    std::size_t size = 1;
    if (byte == 0x1b) {
      size = escape_size(line);
      if (sets_attributes(line.substr(0, size))) out.append(line.substr(0, size));
    } else if (byte == '\t') {
      out += ' ';
    } else if (is_c1_control(line)) {
      size = 2;
    } else if (byte >= ' ' && byte != 0x7f) {
      out += line.front();
    }
    line.remove_prefix(size);
  }
  return out;
}

/// Returns the number of rows of the terminal.
std::size_t rows_of(int fd) {
  winsize size{};
  constexpr std::size_t kUsual = 24;
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : kUsual;
}

}  // namespace

LiveArea::Show LiveArea::open(int fd, std::optional<LiveArea>& area) {
  const char* const type = std::getenv("TERM");
  if (::isatty(fd) != 1 || type == nullptr || std::string_view(type) == "dumb") return nullptr;
  area.emplace(fd);
  return [&area](const std::vector<std::string>& lines) { area->show(lines); };
}

LiveArea::LiveArea(int fd) : fd_(fd) {
  const std::lock_guard lock(terminal());
  current = this;
}

LiveArea::~LiveArea() {
  show({});
  const std::lock_guard lock(terminal());
  current = nullptr;
}

void LiveArea::show(const std::vector<std::string>& lines) {
  const std::lock_guard lock(terminal());
  std::string text = erased();
  lines_ = lines;
  text += drawn();
  write_all(fd_, text);
}

bool LiveArea::write_above(int fd, std::string_view bytes) {
  if (current == nullptr || ::isatty(fd) != 1) return write_all(fd, bytes);
  const std::lock_guard lock(terminal());
  LiveArea* const area = current;  // another thread may have closed it since the first look
  if (area == nullptr) return write_all(fd, bytes);
  std::string text = area->erased();
  text += bytes;
  // If `bytes` end inside a line, the area is drawn again after the rest of that line.
  if (bytes.ends_with('\n')) text += area->drawn();
  return write_all(fd, text);
}

/// Returns the bytes that remove the lines and leave the cursor where the first line began.
std::string LiveArea::erased() {
  std::string out;
  for (; rows_ > 0; --rows_) out += rows_ > 1 ? "\r\x1b[K\x1b[A" : "\r\x1b[K";
  return out;
}

/// Returns the bytes that draw the lines and leave the cursor at the end of the last line.
std::string LiveArea::drawn() {
  if (lines_.empty()) return {};
  // One row of the terminal remains for the newest line above the area.
  rows_ = std::min(lines_.size(), std::max<std::size_t>(rows_of(fd_), 2) - 1);
  std::string out = "\x1b[?7l";  // the terminal cuts lines instead of continuing them in the next
  for (std::size_t i = lines_.size() - rows_; i < lines_.size(); ++i) {
    if (i > lines_.size() - rows_) out += "\r\n";
    out += without_cursor_moves(lines_[i]) + "\x1b[0m";
  }
  return out + "\x1b[?7h";
}

}  // namespace slipway::cli
