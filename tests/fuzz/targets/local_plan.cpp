// The local scheduler's `plan.bin` with this version's first bytes and a valid checksum, so that
// the input reaches the code behind both checks.
#include <string>

#include "plugins/local/engine/plan.hpp"
#include "sdk/support/checksum.hpp"
#include "slipway/error.hpp"
#include "tests/fuzz/target.hpp"

using slipway::local::LaunchPlan;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(slipway::fuzz::text_of(data, size));
  constexpr std::size_t kMagicBytes = 8;
  static const std::string magic = slipway::local::encode_plan({}).substr(0, kMagicBytes);
  bytes.replace(0, kMagicBytes, magic);                // a shorter input becomes `magic` alone
  bytes.resize(bytes.size() - sizeof(std::uint32_t));  // the checksum of the input
  const std::uint32_t crc = slipway::crc32(bytes);
  bytes.append(reinterpret_cast<const char*>(&crc), sizeof crc);
  LaunchPlan plan;
  try {
    plan = slipway::local::decode_plan(bytes);
  } catch (const slipway::Error&) {
    return 0;
  }
  // Outside the try block, because every plan that was read can be written.
  slipway::fuzz::require(slipway::local::encode_plan(plan) == bytes,
                         "a plan that was read is written as it was");
  return 0;
}
