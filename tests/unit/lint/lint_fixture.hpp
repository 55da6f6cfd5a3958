// Lints app files that are given as text.
#pragma once

#include <string>
#include <vector>

#include "core/lint/lint.hpp"

namespace slipway::lint::test {

/// Lints an app that is given as JSON. Only the resource gpu.small exists.
inline FileReport report_of(const std::string& json) {
  const auto resolver = [](std::string_view name) {
    return name == "gpu.small" ? std::optional<Resource>(Resource()) : std::nullopt;
  };
  return lint_app_json(json, "app.json", resolver,
                       [] { return std::vector<std::string>{"gpu.small"}; });
}

/// Returns `key rule` of each problem, in order.
inline std::vector<std::string> found(const std::string& json) {
  std::vector<std::string> out;
  for (const spec::Problem& problem : report_of(json).problems)
    out.push_back(problem.key + ' ' + std::string(problem.rule));
  return out;
}

/// Returns an app with one role and the given fields, which start with a comma.
inline std::string role(const std::string& fields, const std::string& entrypoint = "true") {
  return R"({"name":"a","roles":[{"name":"r","entrypoint":")" + entrypoint + '"' + fields + "}]}";
}

using Strings = std::vector<std::string>;

}  // namespace slipway::lint::test
