#include "slipway/error.hpp"
#include "tests/fuzz/targets/read_back.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    slipway::fuzz::require_json_reads_back(slipway::fuzz::read_app(
        slipway::spec::parse_json(slipway::fuzz::text_of(data, size), "input")));
  } catch (const slipway::Error&) {
    // The input is refused.
  }
  return 0;
}
