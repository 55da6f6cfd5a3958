// What a resource has to have, as people write it: `gpu>=2,memMB<=65536`.
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
  std::int64_t number = 0;
  std::string text;  ///< for capabilities
};

/// Conditions separated by commas, all of which have to hold. A field is cpu, gpu, memMB, mem (`mem>=64GiB`),
/// devices.NAME or capabilities.KEY (`=` and `!=` only); a comparison is >=, <=, >, <, =, == or !=.
/// Throws Error(kUsage) for anything else, with the piece that is wrong.
std::vector<Condition> parse_conditions(std::string_view text);

/// Whether all of them hold. What a resource does not say is not a number: only != holds for it. A device that it
/// does not have is there 0 times.
bool fits(const Resource& resource, const std::vector<Condition>& conditions);

}  // namespace slipway::resources
