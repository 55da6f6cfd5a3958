// Lines at the end of a terminal that change in place, such as the progress bars of replicas.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::cli {

/// Shows lines below everything that this process prints through write_stream(). At most one area
/// may exist at a time. [any thread]
class LiveArea {
 public:
  using Show = std::function<void(const std::vector<std::string>&)>;

  /// Opens an area if `fd` is a terminal that understands the escape sequences. Returns a function
  /// that calls its show(), or else nullptr.
  static Show open(int fd, std::optional<LiveArea>& area);

  /// `fd` is borrowed.
  explicit LiveArea(int fd);
  /// Removes the lines.
  ~LiveArea();
  LiveArea(const LiveArea&) = delete;
  LiveArea& operator=(const LiveArea&) = delete;

  /// Replaces the lines of the last call by `lines`. If the terminal has fewer rows, shows the last
  /// ones. The terminal cuts each line at its width. Writes no control characters of a line
  /// except escape sequences for colours and other attributes of text.
  void show(const std::vector<std::string>& lines);

  /// Writes bytes above the area. Without an area, or if `fd` is not a terminal, only writes the
  /// bytes. Returns false, with errno set, if writing fails.
  static bool write_above(int fd, std::string_view bytes);

 private:
  std::string erased();
  std::string drawn();

  const int fd_;
  std::vector<std::string> lines_;
  std::size_t rows_ = 0;  // number of lines on the terminal now
};

}  // namespace slipway::cli
