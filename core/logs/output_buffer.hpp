// What is printed, on its way into few large writes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "core/logs/prefix_join.hpp"

namespace slipway::logs {

/// Holds little more than kSize bytes, however long the lines are. What `write` throws passes through; the bytes that
/// it was given are gone then. Not for several threads at once.
class OutputBuffer {
 public:
  using Write = std::function<void(std::string_view)>;

  /// From this many bytes on they are written. A pipe, which has 64 KiB, takes them at once: where it does not, the
  /// reader wakes the writer for each page.
  static constexpr std::size_t kSize = std::size_t{60} * 1024;

  /// `write` gets whole lines, unless they are longer than kSize or were not added whole.
  explicit OutputBuffer(Write write);

  /// What append_lines() puts in front of each line from now on; nothing at first.
  void set_prefix(std::string_view prefix);

  /// Adds `text`, whole lines but perhaps for the last, each as append_prefixed() would for that line alone.
  void append_lines(std::string_view text);

  /// Adds whole lines as they are.
  void append(std::string_view text);

  /// Writes all that is held.
  void flush();

 private:
  PrefixJoin::Place with_room(PrefixJoin::Place place);

  Write write_;
  PrefixJoin join_;
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;  // less than kSize
};

}  // namespace slipway::logs
