#include "core/logs/prefix_join.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/logs/line_block.hpp"

// clang rejects this header in C++.
#if __has_include(<sys/platform/x86.h>) && !defined(__clang__)
#include <sys/platform/x86.h>
#endif

namespace slipway::logs {

namespace {

using Place = PrefixJoin::Place;

// Keeps the first block of the prefix in registers. The prefix never overlaps the output.
template <class Block>
class Prefix {
 public:
  // `text` has at least one block of bytes, even if `size` is smaller.
  [[gnu::always_inline]] Prefix(const char* text, std::size_t size) : text_(text), size_(size) {
    first_block_.load(text);
  }

  [[gnu::always_inline]] char* copy(char* to) const {
    first_block_.store(to);
    if (size_ > kBlock) std::memcpy(to + kBlock, text_ + kBlock, size_ - kBlock);
    return to + size_;
  }

 private:
  Block first_block_;
  const char* text_;
  std::size_t size_;
};

// Copies the bytes of a block that have a bit in `wanted` and inserts the prefix. Also reads the
// next block.
template <class Block>
[[gnu::always_inline]] inline Place add_block(const char* from, std::uint64_t wanted,
                                              const Prefix<Block>& prefix, Place place) {
  Block block;
  block.load(from);
  auto [to, line] = place;
  block.store(to);
  for (std::uint64_t ends = block.ends() & wanted; ends != 0; ends &= ends - 1) {
    const std::size_t next = static_cast<std::size_t>(std::countr_zero(ends)) + 1;
    if (from[next - 1] == '\n') {
      line = to + next;
      // The next line overwrites itself, so its prefix goes after the '\r'.
      if (from[next] == '\r') continue;
    }
    // Moves `to`, so that `to + i` stays the place of byte i of the block.
    to = prefix.copy(to + next) - next;
    Block rest;
    rest.load(from + next);
    rest.store(to + next);
  }
  return {to + std::popcount(wanted), line};
}

template <class Block>
[[gnu::always_inline]] inline Place add_blocks(std::string_view& text, const Prefix<Block>& prefix,
                                               Place place, const char* limit) {
  const char* from = text.data();
  const char* const end = from + text.size();
  for (; end - from >= std::ptrdiff_t{2 * kBlock} && place.to < limit; from += kBlock)
    place = add_block<Block>(from, ~std::uint64_t{0}, prefix, place);
  text = {from, static_cast<std::size_t>(end - from)};
  return place;
}

#ifdef __x86_64__
[[SLIPWAY_AVX2]] Place add_blocks_avx2(std::string_view& text, const std::string& prefix,
                                       std::size_t size, Place place, const char* limit) {
  return add_blocks(text, Prefix<Avx2Block>(prefix.data(), size), place, limit);
}

bool has_avx2_and_bmi() {
#ifdef CPU_FEATURE_ACTIVE
  // The C library has already queried the processor. The compiler's builtin would query it again at
  // the start of every command, and each query takes microseconds on a virtual machine.
  return CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(BMI1);
#else
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
#endif
}
#endif

}  // namespace

void PrefixJoin::set_prefix(std::string_view prefix) {
  size_ = prefix.size();
  prefix_ = prefix;
  prefix_.resize(std::max(size_, kBlock));
}

Place PrefixJoin::begin(std::string_view text, Place place) const {
  if (text.front() == '\r') return place;
  return {Prefix<AnyBlock>(prefix_.data(), size_).copy(place.to), place.line};
}

Place PrefixJoin::blocks(std::string_view& text, Place place, const char* limit) const {
#ifdef __x86_64__
  if (has_avx2_and_bmi()) return add_blocks_avx2(text, prefix_, size_, place, limit);
#endif
  return add_blocks(text, Prefix<AnyBlock>(prefix_.data(), size_), place, limit);
}

Place PrefixJoin::rest(std::string_view text, Place place) const {
  // Copies the text so that blocks can be read beyond its end. The '\r' after the text keeps
  // add_block() from adding a prefix after a final newline.
  std::array<char, 4 * kBlock> padded{};
  std::copy(text.begin(), text.end(), padded.begin());
  padded[text.size()] = '\r';
  const Prefix<AnyBlock> prefix(prefix_.data(), size_);
  for (std::size_t at = 0; at < text.size(); at += kBlock) {
    const std::size_t size = std::min(text.size() - at, kBlock);
    const std::uint64_t wanted = ~std::uint64_t{0} >> (kBlock - size);
    place = add_block(padded.data() + at, wanted, prefix, place);
  }
  return place;
}

}  // namespace slipway::logs
