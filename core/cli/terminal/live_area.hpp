// Lines at the end of a terminal that change in place, such as the progress bars of replicas.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::cli {

/// Whatever this process prints through write_stream() appears above the area. At most one exists
/// at a time. [any thread]
class LiveArea {
 public:
  using Show = std::function<void(const std::vector<std::string>&)>;

  /// Opens an area if `fd` is a terminal that understands the escape sequences. Returns its show(),
  /// or else nullptr.
  static Show open(int fd, std::optional<LiveArea>& area);

  /// `fd` is borrowed.
  explicit LiveArea(int fd);
  /// Removes the lines.
  ~LiveArea();
  LiveArea(const LiveArea&) = delete;
  LiveArea& operator=(const LiveArea&) = delete;

  /// Shows `lines` in place of those of the last call: the last ones, if the terminal has fewer
  /// rows. Each is cut at the width of the terminal. Of their control characters, only the escape
  /// sequences for colours are written.
  void show(const std::vector<std::string>& lines);

  /// Writes bytes above the area. Returns false, with errno set, when writing fails. Without an
  /// area, or if `fd` is no terminal, writes them and does nothing else.
  static bool write_above(int fd, std::string_view bytes);

 private:
  std::string erased();
  std::string drawn();

  const int fd_;
  std::vector<std::string> lines_;
  std::size_t rows_ = 0;  // on the terminal now
};

}  // namespace slipway::cli
