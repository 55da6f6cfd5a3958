#include "core/cli/apps/sweep_grid.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

using components::SweptParam;

namespace {

/// Returns the parameter of `-P NAME=VALUES`. Throws Error kUsage for any other word.
SweptParam swept_param(const std::string& word) {
  try {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw Error(Code::kUsage, "expected NAME=VALUES");
    return {word.substr(0, equals),
            components::swept_values(std::string_view(word).substr(equals + 1))};
  } catch (const Error& error) {
    throw Error(error.code(), "-P " + spec::quoted(word) + ": " + error.message(),
                "with --sweep: -P lr=0.1,0.01 -P seed=1..5 -P text='\"a,b\"'");
  }
}

}  // namespace

std::vector<SweptParam> swept_params(std::vector<SweptParam> of_component, const StrList& words) {
  std::vector<SweptParam> out = std::move(of_component);
  for (const std::string& word : words) {
    SweptParam param = swept_param(word);
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
  std::vector<StrDict> out(1);  // the combination of no parameters
  for (const SweptParam& param : params) {
    if (out.size() * param.values.size() > components::kMostSweptApps) {
      throw Error(Code::kUsage,
                  fmt::format("the sweep has more than {} apps", components::kMostSweptApps),
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
