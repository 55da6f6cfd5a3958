// The local scheduler's index of finished apps, with a valid header and checksum. The first byte of
// the input is the number of entries, the other bytes are the entries.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "plugins/local/engine/finished_index.hpp"
#include "sdk/support/checksum.hpp"
#include "tests/fuzz/target.hpp"

using slipway::crc32;
using slipway::local::FinishedIndex;

namespace {

template <typename T>
void put(std::string& bytes, std::size_t offset, T value) {
  bytes.replace(offset, sizeof value, reinterpret_cast<const char*>(&value), sizeof value);
}

// The offsets of the fields crc, file_bytes and count of IndexHead (finished_index.cpp).
constexpr std::size_t kChecksumAt = 12;
constexpr std::size_t kSizeAt = 16;
constexpr std::size_t kCountAt = 24;

/// Returns an index of `entries`, whose header has the matching size, number and checksum.
std::string with_header(std::string_view entries, std::uint8_t count) {
  const std::string header = slipway::local::finished_index_bytes({});
  std::string bytes = header;
  bytes += entries;
  put(bytes, kChecksumAt, std::uint32_t{0});  // the checksum covers its own field as zeros
  put(bytes, kSizeAt, std::uint64_t{bytes.size()});
  put(bytes, kCountAt, std::uint32_t{count});
  put(bytes, kChecksumAt, crc32(entries, crc32(std::string_view(bytes).substr(0, header.size()))));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view entries = slipway::fuzz::text_of(data + 1, size - 1);
  const FinishedIndex index(with_header(entries, data[0]));
  slipway::fuzz::require(index.size() <= data[0],
                         "the index has at most as many apps as its header says");
  // The corpus has an app `a` of the session `s`. Any eight bytes may be the inode of an entry. The
  // limit keeps inputs fast.
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= std::min<std::size_t>(entries.size(), 512);
       ++at) {
    std::uint64_t inode = 0;
    std::copy_n(entries.data() + at, sizeof inode, reinterpret_cast<char*>(&inode));
    const auto app = index.find("s", "a", inode);
    if (app) slipway::fuzz::require(is_terminal(app->state), "only finished apps are known");
  }
  return 0;
}
