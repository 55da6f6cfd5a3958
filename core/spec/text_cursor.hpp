// Converts offsets in a text to lines and columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "core/spec/problem.hpp"
#include "sdk/support/utf8.hpp"

namespace slipway::spec {

/// Converts growing offsets to marks in a single pass over the text, which must outlive the cursor.
/// Not thread safe.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  /// Returns the place of `offset`, which must not be smaller than the offset of the previous call.
  Mark mark(std::size_t offset) {
    for (const std::size_t end = std::min(offset, text_.size()); at_ < end; ++at_) {
      const char byte = text_[at_];
      if (byte == '\n') {
        ++mark_.line;
        mark_.column = 1;
      } else if (!continues_utf8(byte)) {
        ++mark_.column;
      }
    }
    return mark_;
  }

  /// Returns the place of a single offset.
  static Mark mark_at(std::string_view text, std::size_t offset) {
    return TextCursor(text).mark(offset);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  Mark mark_{1, 1};
};

}  // namespace slipway::spec
