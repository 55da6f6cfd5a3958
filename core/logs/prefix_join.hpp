// Lines to what is printed of them: each with a prefix, many at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/logs/line_block.hpp"

namespace slipway::logs {

/// Puts a prefix in front of lines while it copies them, by the rule of append_prefixed() for each line alone. Copies
/// whole blocks, so that it also overwrites what is behind its output. Only set_prefix() allocates. Not for several
/// threads at once.
class PrefixJoin {
 public:
  /// Where the output ends, and where its last line begins.
  struct Place {
    char* to;
    char* line;
  };

  PrefixJoin() { set_prefix({}); }

  void set_prefix(std::string_view prefix);
  std::size_t prefix_size() const { return size_; }

  /// How many bytes behind the limit of blocks(), or behind where begin() or rest() start, may be overwritten.
  std::size_t slack() const { return 2 * kBlock * (size_ + 2); }

  /// Adds what is in front of a text that is not empty: the prefix, unless its first line overwrites itself.
  Place begin(std::string_view text, Place place) const;

  /// Takes text from the front of `text` until the output reaches `limit` or less than two blocks are left.
  Place blocks(std::string_view& text, Place place, const char* limit) const;

  /// Adds what blocks() left, less than two blocks, at the end of the text.
  Place rest(std::string_view text, Place place) const;

 private:
  std::string prefix_;  // at least a block, whatever is behind its end
  std::size_t size_ = 0;
};

}  // namespace slipway::logs
