#include "slipway/logs.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(Logs)

BOOST_AUTO_TEST_CASE(log_query_selects_its_replicas_or_all) {
  LogQuery query;
  BOOST_TEST(query.wants("any", 7));
  query.targets = {{"trainer", {0, 2}}, {"ps", {}}};
  BOOST_TEST(query.wants("trainer", 2));
  BOOST_TEST(!query.wants("trainer", 1));
  BOOST_TEST(query.wants("ps", 9));
  BOOST_TEST(!query.wants("reader", 0));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
