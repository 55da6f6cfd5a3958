#include "slipway/hosted_devices.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "slipway/detail/guard.hpp"
#include "tests/unit/sdk/recording_host.hpp"

namespace slipway {
namespace {

using sdk_test::RecordingHost;

// A site with a path for `fpga`, one file for all `fuse`, and a broken entry for `broken`.
slipway_status find_path(const slipway_host* host, slipway_str device,
                         slipway_on_device_path on_path, void* ctx, slipway_error* err) {
  const std::string_view name = abi::text(device);
  auto path = abi::sized<slipway_device_path>();
  path.path = abi::view(name == "fpga" ? "/dev/fpga/{i}/ctl" : "/dev/fuse");
  path.permissions = abi::view(name == "fpga" ? "rw" : "rwm");
  if (name == "fpga" || name == "fuse") return on_path(ctx, &path);
  if (name != "broken") return SLIPWAY_OK;
  abi::record(host, err, SLIPWAY_E_CONFIG, "no absolute path", "");
  return SLIPWAY_E_CONFIG;
}

constexpr slipway_host_device_paths kPaths = {sizeof(slipway_host_device_paths), 0, &find_path};

std::string sources(const std::vector<Mount>& mounts) {
  std::string out;
  for (const Mount& mount : mounts) out += mount.src + ":" + mount.permissions + " ";
  return out;
}

BOOST_AUTO_TEST_SUITE(HostedDevices)

BOOST_AUTO_TEST_CASE(devices_without_a_path_of_the_site_use_built_in_ones) {
  RecordingHost host;
  host.device_paths = &kPaths;
  StrList unknown;
  const auto mounts = device_mounts(
      Host(host.table()),
      {{"fpga", 2}, {"fuse", 3}, {"vpc.amazonaws.com/efa", 1}, {"odd", 1}, {"fpga2", 0}}, Call(),
      unknown);
  BOOST_TEST(sources(mounts) ==
             "/dev/fpga/0/ctl:rw /dev/fpga/1/ctl:rw /dev/fuse:rwm /dev/infiniband/uverbs0:rwm ");
  // A count of 0 makes no mount, but the name must be known as well.
  BOOST_TEST((unknown == StrList{"odd", "fpga2"}));
}

BOOST_AUTO_TEST_CASE(host_without_the_service_uses_built_in_paths) {
  RecordingHost host;
  StrList unknown;
  const auto mounts =
      device_mounts(Host(host.table()), {{"aws.amazon.com/neurondevice", 1}}, Call(), unknown);
  BOOST_TEST(sources(mounts) == "/dev/neuron0:rwm ");
}

BOOST_AUTO_TEST_CASE(broken_entry_of_the_site_fails_with_its_message) {
  RecordingHost host;
  host.device_paths = &kPaths;
  slipway_error error;
  StrList unknown;
  const slipway_status status = abi::guard(host.table(), &error, [&] {
    device_mounts(Host(host.table()), {{"broken", 1}}, Call(nullptr, host.table(), &error),
                  unknown);
  });
  BOOST_TEST(status == SLIPWAY_E_CONFIG);
  BOOST_TEST(error.message == "no absolute path");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
