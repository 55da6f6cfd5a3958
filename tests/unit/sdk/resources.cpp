#include <boost/test/unit_test.hpp>
#include <vector>

#include "slipway/app_handle.hpp"
#include "slipway/device_mounts.hpp"
#include "slipway/logs.hpp"
#include "slipway/resource_request.hpp"

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(Resources)

BOOST_AUTO_TEST_CASE(resource_with_numbers_needs_no_lookup) {
  const Resource got = resource({3, 0, 0, ""}, [](const std::string& name) -> Resource {
    throw Error(Code::kNotFound, name);
  });
  BOOST_TEST(got.cpu == 3);
  BOOST_TEST(got.gpu == 0);
  BOOST_TEST(got.mem_mb == 1024);
}

BOOST_AUTO_TEST_CASE(site_can_provide_its_own_device_table) {
  const std::vector<DeviceFiles> table = {{"example.org/fpga", "/dev/fpga"}};
  StrList unknown;
  const auto mounts =
      device_mounts({{"example.org/fpga", 2}, {"vpc.amazonaws.com/efa", 1}}, table, unknown);
  BOOST_REQUIRE_EQUAL(mounts.size(), 2u);
  BOOST_TEST(mounts[1].src == "/dev/fpga1");
  BOOST_TEST(mounts[1].dst == "/dev/fpga1");
  BOOST_TEST(mounts[1].permissions == "rwm");
  BOOST_TEST((unknown == StrList{"vpc.amazonaws.com/efa"}));
}

BOOST_AUTO_TEST_CASE(log_query_selects_its_replicas_or_all) {
  LogQuery query;
  BOOST_TEST(query.wants("any", 7));
  query.targets = {{"trainer", {0, 2}}, {"ps", {}}};
  BOOST_TEST(query.wants("trainer", 2));
  BOOST_TEST(!query.wants("trainer", 1));
  BOOST_TEST(query.wants("ps", 9));
  BOOST_TEST(!query.wants("reader", 0));
}

BOOST_AUTO_TEST_CASE(handle_is_built_from_parts_and_read_back) {
  const std::string text = make_app_handle("local_cwd", "s", "a-1");
  BOOST_TEST(text == "local_cwd://s/a-1");
  BOOST_TEST((parse_app_handle(text) == AppHandle{"local_cwd", "s", "a-1"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
