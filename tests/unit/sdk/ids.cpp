#include "slipway/ids.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(Ids)

BOOST_AUTO_TEST_CASE(a_number_becomes_letters_least_significant_first) {
  BOOST_TEST(id_suffix(0).empty());
  BOOST_TEST(id_suffix(19) == "z");
  BOOST_TEST(id_suffix(20) == "bc");
  BOOST_TEST(make_unique_id("a-b", 21) == "a-b-cc");
}

BOOST_AUTO_TEST_CASE(random_ids_differ_and_start_with_a_letter) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = make_unique_id("x");
    BOOST_REQUIRE(id.size() > 2);
    BOOST_TEST(id.substr(0, 2) == "x-");
    BOOST_TEST((id[2] >= 'b' && id[2] <= 'z'));
    BOOST_TEST((id.find_first_of("aeiouy8", 2) == std::string::npos));
    seen.insert(id);
  }
  BOOST_TEST(seen.size() == 1000U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
