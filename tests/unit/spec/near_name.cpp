#include "core/spec/near_name.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::spec::test {

using Names = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(NearName)

BOOST_AUTO_TEST_CASE(finds_the_nearest) {
  const Names keys = {"num_replicas", "min_replicas", "max_retries", "retry_policy"};
  BOOST_TEST(near_name("num_replica", keys).value() == "num_replicas");
  BOOST_TEST(near_name("mum_replicas", keys).value() == "num_replicas");
  BOOST_TEST(near_name("max_retires", keys).value() == "max_retries");
}

BOOST_AUTO_TEST_CASE(case_and_hyphens_do_not_count) {
  BOOST_TEST(near_name("MEMMB", Names{"mem", "memMB"}).value() == "memMB");
  BOOST_TEST(near_name("num-replicas", Names{"num_replicas"}).value() == "num_replicas");
}

BOOST_AUTO_TEST_CASE(a_swap_of_neighbours_is_one_mistake) {
  BOOST_TEST(near_name("nmae", Names{"name"}).value() == "name");
}

BOOST_AUTO_TEST_CASE(returns_nothing_when_no_name_is_near) {
  BOOST_TEST(!near_name("zzz", Names{"name", "roles"}).has_value());
  BOOST_TEST(!near_name("", Names{"a"}).has_value());
  BOOST_TEST(!near_name("x", Names{"y"}).has_value());
  BOOST_TEST(!near_name("name", Names{}).has_value());
  // Even equal names match only up to 64 bytes, which bounds the cost.
  BOOST_TEST(!near_name(std::string(100'000, 'a'), Names{std::string(100'000, 'a')}).has_value());
  BOOST_TEST(did_you_mean("zzz", Names{"name"}) == "");
}

BOOST_AUTO_TEST_CASE(suggests_the_near_name) {
  BOOST_TEST(did_you_mean("nam", Names{"name"}) == "did you mean name?");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::spec::test
