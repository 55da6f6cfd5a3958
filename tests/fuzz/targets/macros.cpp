#include "slipway/macros.hpp"

#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = slipway::fuzz::text_of(data, size);
  const slipway::MacroValues values{.img_root = "/img",
                                    .app_id = "app-1",
                                    .replica_id = "7",
                                    .rank0_env = "RANK0",
                                    .base_img_root = "base"};
  const std::string out = slipway::substitute_macros(text, values);
  if (text.find('$') == std::string_view::npos)
    slipway::fuzz::require(out == text, "a text without '$' stays as it is");
  slipway::fuzz::require(
      out.find("${app_id}") == std::string::npos || text.find("$$") != std::string_view::npos,
      "a macro that is not escaped is replaced");
  return 0;
}
