#include "sdk/support/fnv_hash.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {

BOOST_AUTO_TEST_SUITE(FnvHash)

BOOST_AUTO_TEST_CASE(equals_the_published_values) {
  BOOST_TEST(fnv_hash("") == 0xcbf29ce484222325U);
  BOOST_TEST(fnv_hash("a") == 0xaf63dc4c8601ec8cU);
  BOOST_TEST(fnv_hash("foobar") == 0x85944171f73967e8U);
  BOOST_TEST(fnv_hash("bar", fnv_hash("foo")) == fnv_hash("foobar"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway
