// The number of bytes of each stream of a replica that were copied into its combined.log.
#pragma once

#include <cstdint>

namespace slipway::local {

/// Bytes of each stream that are in combined.log. The size of combined.log is the sum of the two,
/// except between a write and the store after it. Belongs to the merger's caller, typically in
/// shared memory; only the merger writes it.
struct CombinedCursor {
  std::uint64_t out_offset;
  std::uint64_t err_offset;
};

/// Returns the number of bytes in combined.log.
inline std::uint64_t sum(const CombinedCursor& cursor) {
  return cursor.out_offset + cursor.err_offset;
}

}  // namespace slipway::local
