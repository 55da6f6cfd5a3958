#include "slipway/error.hpp"
#include "tests/fuzz/targets/read_back.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  slipway::AppDef app;
  try {
    app = slipway::fuzz::read_app(
        slipway::spec::parse_json(slipway::fuzz::text_of(data, size), "input"));
  } catch (const slipway::Error&) {
    return 0;
  }
  // Outside the try block, because a written app must be accepted again.
  slipway::fuzz::require_json_reads_back(app);
  return 0;
}
