#include "slipway/app_handle.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  slipway::AppHandle handle;
  try {
    handle = slipway::parse_app_handle(slipway::fuzz::text_of(data, size));
  } catch (const slipway::Error&) {
    return 0;
  }
  // Outside the try block, because a printed handle must be accepted again.
  const slipway::AppHandle again = slipway::parse_app_handle(slipway::to_string(handle));
  slipway::fuzz::require(slipway::to_string(again) == slipway::to_string(handle),
                         "a handle written as text reads back");
  return 0;
}
