// Leaving out the first lines of a log.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "slipway/logs.hpp"

namespace slipway {

/// Counts lines of each stream of each replica, in bytes as they come. Not for several threads at
/// once.
class FirstLines {
 public:
  explicit FirstLines(std::uint64_t count) : count_(count) {}

  /// What of the chunk's bytes lies behind the first lines; a line ends with its '\n'.
  std::string_view behind(const LogChunk& chunk);

 private:
  std::uint64_t count_;
  std::map<std::tuple<std::string, std::int32_t, Stream>, std::uint64_t> seen_;
};

}  // namespace slipway
