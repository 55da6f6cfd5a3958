// Copies 64 bytes and finds the line ends in them, with SSE2 or AVX2 instructions on x86-64.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace slipway::logs {

inline constexpr std::size_t kBlock = 64;  // bytes in a block, one for each bit of ends()

// All blocks have the same members. load() and store() need no alignment. ends() returns a bit for
// each byte that is '\n' or '\r'; the lowest bit is the first byte.

#ifdef __x86_64__

/// Uses SSE2, which every x86-64 processor has.
class AnyBlock {
 public:
  void load(const char* from) {
    for (std::size_t i = 0; i < 4; ++i)
      parts_[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + i);
  }
  void store(char* to) const {
    for (std::size_t i = 0; i < 4; ++i)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to) + i, parts_[i]);
  }
  std::uint64_t ends() const {
    return ends_of(0) | ends_of(1) << 16 | ends_of(2) << 32 | ends_of(3) << 48;
  }

 private:
  std::uint64_t ends_of(std::size_t part) const {
    const __m128i newlines = _mm_cmpeq_epi8(parts_[part], _mm_set1_epi8('\n'));
    const __m128i returns = _mm_cmpeq_epi8(parts_[part], _mm_set1_epi8('\r'));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(newlines, returns)));
  }
  __m128i parts_[4];
};

#define SLIPWAY_AVX2 gnu::target("avx2,bmi")

/// Needs a processor with AVX2 and BMI. Fast only in functions that are also SLIPWAY_AVX2.
class Avx2Block {
 public:
  [[SLIPWAY_AVX2]] void load(const char* from) {
    low_ = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    high_ = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from) + 1);
  }
  [[SLIPWAY_AVX2]] void store(char* to) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), low_);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to) + 1, high_);
  }
  [[SLIPWAY_AVX2]] std::uint64_t ends() const {
    const __m256i newline = _mm256_set1_epi8('\n');
    const __m256i carriage_return = _mm256_set1_epi8('\r');
    const __m256i low =
        _mm256_or_si256(_mm256_cmpeq_epi8(low_, newline), _mm256_cmpeq_epi8(low_, carriage_return));
    const __m256i high = _mm256_or_si256(_mm256_cmpeq_epi8(high_, newline),
                                         _mm256_cmpeq_epi8(high_, carriage_return));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(low)) |
           std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(high))} << 32;
  }

 private:
  __m256i low_;
  __m256i high_;
};

#else

/// Uses no instructions of a particular processor.
class AnyBlock {
 public:
  void load(const char* from) { std::memcpy(bytes_, from, kBlock); }
  void store(char* to) const { std::memcpy(to, bytes_, kBlock); }
  std::uint64_t ends() const {
    std::uint64_t ends = 0;
    for (std::size_t i = 0; i < kBlock; ++i)
      ends |= std::uint64_t{bytes_[i] == '\n' || bytes_[i] == '\r'} << i;
    return ends;
  }

 private:
  char bytes_[kBlock];
};

#endif

}  // namespace slipway::logs
