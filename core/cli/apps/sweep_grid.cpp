#include "core/cli/apps/sweep_grid.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/spec/problem.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {
namespace {

constexpr std::size_t kMostApps = 10'000;

[[noreturn]] void fail(const std::string& word, const std::string& what) {
  throw Error(Code::kUsage, "-P " + spec::quoted(word) + ": " + what,
              "with --sweep: -P lr=0.1,0.01 -P seed=1..5 -P text='\"a,b\"'");
}

/// Reads the values of one word from left to right.
class ValueReader {
 public:
  ValueReader(const std::string& word, std::string_view text) : word_(word), rest_(text) {}

  StrList read() {
    do {
      read_one();
    } while (takes_comma());
    return std::move(out_);
  }

 private:
  void read_one() {
    if (!rest_.empty() && (rest_.front() == '"' || rest_.front() == '\'')) return read_quoted();
    const std::string_view value = rest_.substr(0, rest_.find(','));
    rest_.remove_prefix(value.size());
    if (value.empty()) fail(word_, "a value is empty; write '' for an empty text");
    if (!add_range(value)) add(std::string(value));
  }

  void read_quoted() {
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) fail(word_, "a quotation mark is not closed");
    add(std::string(rest_.substr(1, end - 1)));
    rest_.remove_prefix(end + 1);
    if (!rest_.empty() && rest_.front() != ',') fail(word_, "a comma must follow a quoted value");
  }

  /// Adds the numbers of FIRST..LAST. Returns false for any other text.
  bool add_range(std::string_view value) {
    const std::size_t dots = value.find("..");
    if (dots == std::string_view::npos) return false;
    const auto first = plain_number<std::int32_t>(value.substr(0, dots));
    const auto last = plain_number<std::int32_t>(value.substr(dots + 2));
    if (!first || !last) return false;
    const std::int64_t step = *first <= *last ? 1 : -1;
    if ((std::int64_t{*last} - *first) * step >= static_cast<std::int64_t>(kMostApps))
      fail(word_, fmt::format("{} is more than {} values", value, kMostApps));
    for (std::int64_t number = *first;; number += step) {
      add(std::to_string(number));
      if (number == *last) return true;
    }
  }

  void add(std::string value) {
    if (std::find(out_.begin(), out_.end(), value) != out_.end())
      fail(word_, "the value " + spec::quoted(value) + " is given twice");
    out_.push_back(std::move(value));
  }

  bool takes_comma() {
    if (rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }

  const std::string& word_;
  std::string_view rest_;
  StrList out_;
};

}  // namespace

std::vector<SweptParam> swept_params(const StrList& words) {
  std::vector<SweptParam> out;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos) fail(word, "expected NAME=VALUES");
    SweptParam param{word.substr(0, equals),
                     ValueReader(word, std::string_view(word).substr(equals + 1)).read()};
    const auto same = std::find_if(out.begin(), out.end(),
                                   [&](const SweptParam& one) { return one.name == param.name; });
    if (same != out.end()) {
      *same = std::move(param);
    } else {
      out.push_back(std::move(param));
    }
  }
  return out;
}

std::vector<StrDict> combinations(const std::vector<SweptParam>& params) {
  std::vector<StrDict> out(1);
  for (const SweptParam& param : params) {
    if (out.size() * param.values.size() > kMostApps) {
      throw Error(Code::kUsage, fmt::format("the sweep has more than {} apps", kMostApps),
                  "give fewer values, or start several sweeps");
    }
    std::vector<StrDict> longer;
    for (const StrDict& one : out) {
      for (const std::string& value : param.values) {
        longer.push_back(one);
        longer.back().emplace_back(param.name, value);
      }
    }
    out = std::move(longer);
  }
  return out;
}

}  // namespace slipway::cli
