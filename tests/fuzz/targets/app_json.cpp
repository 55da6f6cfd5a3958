#include "slipway/error.hpp"
#include "tests/fuzz/targets/read_back.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const slipway::spec::AppFile file =
        slipway::spec::read_app_json(slipway::fuzz::text_of(data, size), "input");
    slipway::fuzz::require_json_reads_back(file.app);
  } catch (const slipway::Error&) {
    // The input is refused.
  }
  return 0;
}
