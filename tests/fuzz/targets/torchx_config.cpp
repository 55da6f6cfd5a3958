#include "core/config/torchx_config.hpp"

#include "core/config/ini_file.hpp"
#include "slipway/error.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace config = slipway::config;
  try {
    const config::IniFile ini = config::parse_ini(slipway::fuzz::text_of(data, size), "input");
    for (const config::Setting& setting : config::torchx_settings(ini, "input"))
      slipway::fuzz::require(setting.where.line > 0, "every setting has its place");
  } catch (const slipway::Error&) {
    // The input is refused.
  }
  return 0;
}
