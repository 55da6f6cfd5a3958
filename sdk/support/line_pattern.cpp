#include "sdk/support/line_pattern.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "sdk/support/utf8.hpp"
#include "slipway/error.hpp"

namespace slipway {

namespace {

// The bounds of Effort::kThorough and of kQuick. A step, PCRE2's unit of effort, is one call of its
// internal match function. The depth of nested backtracking bounds the memory roughly, the size of
// the heap exactly; machine code ignores both.
constexpr std::uint32_t kThoroughSteps = 10'000'000;
constexpr std::uint32_t kThoroughDepth = 10'000;
constexpr std::uint32_t kQuickSteps = 100'000;
constexpr std::uint32_t kQuickHeapKb = 4096;

std::string message_of(int code) {
  PCRE2_UCHAR text[256];
  const int length = pcre2_get_error_message(code, text, sizeof text);
  return length > 0
             ? std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(length))
             : "error";
}

}  // namespace

struct LinePattern::Compiled {
  template <auto Free>
  struct Freed {
    template <class T>
    void operator()(T* object) const {
      Free(object);
    }
  };

  std::unique_ptr<pcre2_code, Freed<pcre2_code_free>> code;
  std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>> match;
  std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>> context;
};

LinePattern::LinePattern(const std::string& pattern, Effort effort)
    : compiled_(std::make_unique<Compiled>()) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  // Logs may contain any bytes: invalid UTF-8 does not match as a character.
  constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF;
  compiled_->code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                      kOptions, &error, &offset, nullptr));
  if (!compiled_->code) {
    const std::string_view before = std::string_view(pattern).substr(0, offset);  // bytes
    const auto characters = std::count_if(before.begin(), before.end(),
                                          [](char byte) { return !continues_utf8(byte); });
    throw Error(
        Code::kInvalid,
        message_of(error) + " at character " + std::to_string(characters + 1) + " of " + pattern,
        "the syntax is that of Perl and Python");
  }
  compiled_->match.reset(pcre2_match_data_create_from_pattern(compiled_->code.get(), nullptr));
  compiled_->context.reset(pcre2_match_context_create(nullptr));
  if (!compiled_->match || !compiled_->context) throw std::bad_alloc();
  pcre2_match_context* const context = compiled_->context.get();
  if (effort == Effort::kQuick) {
    pcre2_set_match_limit(context, kQuickSteps);
    pcre2_set_heap_limit(context, kQuickHeapKb);
    return;
  }
  // Only thorough patterns are compiled to machine code, because a quick one searches too few lines
  // to repay it. Some hardened kernels refuse machine code; then matching has the same results but
  // is slower.
  pcre2_jit_compile(compiled_->code.get(), PCRE2_JIT_COMPLETE);
  pcre2_set_match_limit(context, kThoroughSteps);
  pcre2_set_depth_limit(context, kThoroughDepth);
}

LinePattern::~LinePattern() = default;

LinePattern::Result LinePattern::search(std::string_view line) {
  const int result =
      pcre2_match(compiled_->code.get(), reinterpret_cast<PCRE2_SPTR>(line.data()), line.size(), 0,
                  0, compiled_->match.get(), compiled_->context.get());
  if (result >= 0) return Result::kYes;
  return result == PCRE2_ERROR_NOMATCH ? Result::kNo : Result::kTooExpensive;
}

}  // namespace slipway
