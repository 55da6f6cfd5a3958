// Parses and evaluates conditions on resources: `gpu>=2,memMB<=65536`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipway/app.hpp"

namespace slipway::resources {

enum class Comparison { kAtLeast, kAtMost, kMore, kLess, kEqual, kUnequal };

/// One comparison of a field with a value.
struct Condition {
  std::string field;  ///< cpu, gpu, memMB, devices.NAME or capabilities.KEY
  Comparison comparison = Comparison::kEqual;
  std::int64_t number = 0;  ///< thousandths of CPUs, MiB of memory, or a number of GPUs or devices
  std::string text;         ///< for capabilities
};

/// Parses conditions that are separated by commas. A field is cpu, gpu, memMB, mem (`mem>=64GiB`),
/// devices.NAME or capabilities.KEY (only `=` and `!=`). A comparison is >=, <=, >, <, =, == or !=.
/// Throws Error(kUsage), which quotes the wrong condition, for any other text.
std::vector<Condition> parse_conditions(std::string_view text);

/// Returns whether all conditions hold. For a field that the resource does not set, only != holds.
/// A device that the resource does not have counts as 0.
bool fits(const Resource& resource, const std::vector<Condition>& conditions);

}  // namespace slipway::resources
