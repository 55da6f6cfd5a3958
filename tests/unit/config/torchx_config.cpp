#include "core/config/torchx_config.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::config::test {
namespace {

BOOST_AUTO_TEST_SUITE(TorchxConfig)

BOOST_AUTO_TEST_CASE(trackers_without_a_config_get_that_of_the_defaults) {
  const IniFile ini = parse_ini(
      "[DEFAULT]\nconfig = /x\n[torchx:tracker]\na =\nb =\nc =\n[tracker:a]\n"
      "[tracker:b]\nconfig = /b\n",
      "f");
  std::string found;
  for (const Setting& setting : torchx_settings(ini, "f"))
    if (setting.key.section == Section::kTracker)
      found += setting.key.name + "=" + setting.value.text + " ";
  BOOST_TEST(found == "a=/x b=/b c= ");  // c has no section that could get the default
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::config::test
