#include "core/logs/output_buffer.hpp"

#include <algorithm>
#include <utility>

namespace slipway::logs {

OutputBuffer::OutputBuffer(Write write) : write_(std::move(write)) { set_prefix({}); }

void OutputBuffer::set_prefix(std::string_view prefix) {
  join_.set_prefix(prefix);
  const std::size_t capacity = kSize + join_.slack();
  if (capacity <= capacity_) return;
  auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
  std::copy_n(bytes_.get(), used_, bytes.get());
  bytes_ = std::move(bytes);
  capacity_ = capacity;
}

void OutputBuffer::append_lines(std::string_view text) {
  if (join_.prefix_size() == 0) {
    append(text);
    return;
  }
  if (text.empty()) return;
  char* const end = bytes_.get() + used_;
  PrefixJoin::Place place = make_room(join_.begin(text, {end, end}));
  while (text.size() >= 2 * kBlock)
    place = make_room(join_.blocks(text, place, bytes_.get() + kSize));
  place = make_room(join_.rest(text, place));
  used_ = static_cast<std::size_t>(place.to - bytes_.get());
}

void OutputBuffer::append(std::string_view text) {
  if (used_ + text.size() >= kSize) flush();
  if (text.size() >= kSize) {
    write_(text);
    return;
  }
  std::copy(text.begin(), text.end(), bytes_.get() + used_);
  used_ += text.size();
}

void OutputBuffer::flush() {
  const std::size_t size = std::exchange(used_, 0);
  if (size > 0) write_({bytes_.get(), size});
}

// Writes a full buffer up to the start of its last line, or completely if that line alone fills it.
PrefixJoin::Place OutputBuffer::make_room(PrefixJoin::Place place) {
  char* const begin = bytes_.get();
  if (place.to < begin + kSize) return place;
  const bool long_line = place.line == begin || place.to - place.line >= std::ptrdiff_t{kSize};
  char* const cut = long_line ? place.to : place.line;
  used_ = 0;
  write_({begin, static_cast<std::size_t>(cut - begin)});
  return {std::copy(cut, place.to, begin), begin};
}

}  // namespace slipway::logs
