// Collects printed lines for few large writes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "core/logs/prefix_join.hpp"

namespace slipway::logs {

/// Holds little more than kSize bytes, even if lines are longer. Passes on what `write` throws;
/// then the buffered bytes and the text that is being added are lost. Not thread safe.
class OutputBuffer {
 public:
  using Write = std::function<void(std::string_view)>;

  /// The number of bytes that triggers a write. A pipe of 64 KiB takes them at once. During a
  /// larger write the writer would sleep, and the reader would wake it for each page.
  static constexpr std::size_t kSize = std::size_t{60} * 1024;

  /// `write` gets whole lines, unless a line is longer than kSize or was not added as a whole.
  explicit OutputBuffer(Write write);

  /// Sets the prefix that append_lines() adds to each line from now on; initially empty.
  void set_prefix(std::string_view prefix);

  /// Adds `text`, of which only the last line may be incomplete. Prefixes each line as
  /// append_prefixed() (line_printer.hpp) does for a single line.
  void append_lines(std::string_view text);

  /// Adds `text` unchanged, without a prefix.
  void append(std::string_view text);

  /// Writes all buffered bytes.
  void flush();

 private:
  PrefixJoin::Place make_room(PrefixJoin::Place place);

  Write write_;
  PrefixJoin join_;
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;  // less than kSize
};

}  // namespace slipway::logs
