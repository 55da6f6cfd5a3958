#include "core/logs/line_filter.hpp"

#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "core/logs/log_line.hpp"
#include "slipway/error.hpp"

namespace slipway::logs {

namespace {

// Enough for any sane pattern on a long line; a runaway pattern stops in well under a second.
constexpr std::uint32_t kMatchLimit = 10'000'000;
constexpr std::uint32_t kDepthLimit = 10'000;

std::string message_of(int code) {
  PCRE2_UCHAR text[256];
  const int length = pcre2_get_error_message(code, text, sizeof text);
  return length > 0
             ? std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(length))
             : "error";
}

}  // namespace

struct LineFilter::Compiled {
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

LineFilter::LineFilter(const std::string& pattern)
    : compiled_(std::make_unique<Compiled>()), required_(required_text(pattern)) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  // Logs may contain any bytes: invalid UTF-8 does not match as a character.
  constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF;
  compiled_->code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                      kOptions, &error, &offset, nullptr));
  if (!compiled_->code) {
    throw Error(Code::kUsage,
                "--regex: " + message_of(error) + " at character " + std::to_string(offset + 1) +
                    " of " + pattern,
                "the syntax is that of Perl and Python");
  }
  // Some hardened kernels refuse JIT; matching then works the same, only slower.
  pcre2_jit_compile(compiled_->code.get(), PCRE2_JIT_COMPLETE);
  compiled_->match.reset(pcre2_match_data_create_from_pattern(compiled_->code.get(), nullptr));
  compiled_->context.reset(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(compiled_->context.get(), kMatchLimit);
  pcre2_set_depth_limit(compiled_->context.get(), kDepthLimit);
}

LineFilter::~LineFilter() = default;

bool LineFilter::take_match(std::string_view& rest, std::string_view& line) {
  while (!rest.empty()) {
    if (!required_.empty()) {
      const std::size_t at = required_.find(rest);
      if (at == std::string_view::npos) break;
      const auto* const before = static_cast<const char*>(::memrchr(rest.data(), '\n', at));
      if (before != nullptr) rest.remove_prefix(static_cast<std::size_t>(before - rest.data()) + 1);
    }
    if (take_line(rest, line) && matches(line)) return true;
  }
  rest = {};
  return false;
}

bool LineFilter::matches(std::string_view line) {
  const int result =
      pcre2_match(compiled_->code.get(), reinterpret_cast<PCRE2_SPTR>(line.data()), line.size(), 0,
                  0, compiled_->match.get(), compiled_->context.get());
  if (result >= 0) return true;
  if (result == PCRE2_ERROR_NOMATCH) return false;
  throw Error(Code::kInvalid,
              "--regex: the pattern is too expensive for a line of " + std::to_string(line.size()) +
                  " bytes: " + message_of(result),
              "avoid nested repetitions such as (a+)+");
}

}  // namespace slipway::logs
