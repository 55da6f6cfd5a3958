#include "plugins/archive_image/settings.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/archive_image/temporary_directory.hpp"

namespace slipway::archive_image {
namespace {

BOOST_AUTO_TEST_SUITE(ArchiveSettings)

BOOST_AUTO_TEST_CASE(empty_settings_are_the_defaults) {
  for (const char* config : {"", "{}"}) {
    const Settings settings = read_settings(config);
    BOOST_TEST(settings.keep_days == 30u);
    BOOST_TEST(settings.limits.max_entries == 1'000'000u);
    BOOST_TEST(!settings.limits.outside_links);
  }
}

BOOST_AUTO_TEST_CASE(given_settings_are_used) {
  const Settings settings = read_settings(
      R"({"keep_days":0,"max_unpacked_mib":2,"max_entries":3,"max_ratio":4,"max_path_bytes":5,"outside_links":true})");
  BOOST_TEST(settings.keep_days == 0u);
  BOOST_TEST(settings.limits.max_unpacked_bytes == 2u << 20);
  BOOST_TEST(settings.limits.max_entries == 3u);
  BOOST_TEST(settings.limits.max_ratio == 4u);
  BOOST_TEST(settings.limits.max_path_bytes == 5u);
  BOOST_TEST(settings.limits.outside_links);
}

BOOST_AUTO_TEST_CASE(wrong_setting_is_refused) {
  for (const char* config :
       {"[]", "{", R"({"keep_day":1})", R"({"keep_days":-1})", R"({"keep_days":"1"})",
        R"({"max_ratio":0})", R"({"max_path_bytes":5000})", R"({"outside_links":1})",
        R"({"max_unpacked_mib":9223372036854775807})"}) {
    BOOST_TEST_CONTEXT(config) {
      BOOST_TEST(test::throws(Code::kConfig, [&] { read_settings(config); }));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::archive_image
