#include "slipway/macros.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>

namespace slipway {
namespace {

const MacroValues kValues{"/img", "app-1", "3", "RANK0", "DEPRECATED"};

std::string expanded(std::string_view text) { return substitute_macros(text, kValues); }

BOOST_AUTO_TEST_SUITE(Macros)

BOOST_AUTO_TEST_CASE(replaces_each_macro_with_and_without_braces) {
  BOOST_TEST(expanded("${img_root}:$img_root") == "/img:/img");
  BOOST_TEST(expanded("${app_id}/$replica_id") == "app-1/3");
  BOOST_TEST(expanded("$rank0_env ${base_img_root}") == "RANK0 DEPRECATED");
}

BOOST_AUTO_TEST_CASE(two_dollars_are_one) {
  BOOST_TEST(expanded("$$app_id") == "$app_id");
  BOOST_TEST(expanded("$$$app_id") == "$app-1");
}

BOOST_AUTO_TEST_CASE(keeps_text_that_is_not_a_macro) {
  for (const char* text : {"$", "a$", "$ x", "${", "${}", "${app_id", "${ app_id}", "$app_idx",
                           "${nope}", "$1", "${app-id}", "$App_id", "$\xC3\xA9"}) {
    BOOST_TEST(expanded(text) == text);
  }
}

BOOST_AUTO_TEST_CASE(does_not_expand_values_again) {
  const MacroValues values{"$app_id", "${replica_id}", "1", "", ""};
  BOOST_TEST(substitute_macros("$img_root $app_id", values) == "$app_id ${replica_id}");
}

BOOST_AUTO_TEST_CASE(time_is_linear_in_the_text) {
  // With quadratic time, the test would exceed its time limit.
  const std::string dollars(200'000, '$');
  BOOST_TEST(expanded(dollars).size() == 100'000U);
  BOOST_TEST(expanded(std::string(100'000, '{')).size() == 100'000U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
