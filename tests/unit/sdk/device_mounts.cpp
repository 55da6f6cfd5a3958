#include "slipway/device_mounts.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(DeviceMounts)

BOOST_AUTO_TEST_CASE(given_device_table_replaces_the_built_in_one) {
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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
