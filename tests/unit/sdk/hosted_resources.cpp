#include "slipway/hosted_resources.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/sdk/recording_host.hpp"

namespace slipway {
namespace {

using sdk_test::RecordingHost;

slipway_status find_small(const slipway_host* host, const slipway_call*, slipway_str name,
                          slipway_on_resource on_resource, void* ctx, slipway_error* err) {
  if (abi::text(name) != "small") {
    abi::record(host, err, SLIPWAY_E_NOT_FOUND, "no such resource", "did you mean small?");
    return SLIPWAY_E_NOT_FOUND;
  }
  Resource small;
  small.cpu = 2;
  small.devices = {{"efa", 1}};
  return on_resource(ctx, abi::ResourceView(small).get());
}

constexpr slipway_host_named_resources kOneResource = {sizeof(slipway_host_named_resources), 0,
                                                       &find_small};
constexpr slipway_host_named_resources kSilent = {
    sizeof(slipway_host_named_resources), 0,
    [](const slipway_host*, const slipway_call*, slipway_str, slipway_on_resource, void*,
       slipway_error*) { return slipway_status{SLIPWAY_OK}; }};

BOOST_AUTO_TEST_SUITE(HostedResources)

BOOST_AUTO_TEST_CASE(name_is_resolved) {
  RecordingHost host;
  host.named_resources = &kOneResource;
  const Resource small = named_resource(Host(host.table()), "small", Call());
  BOOST_TEST(small.cpu.whole() == 2);
  BOOST_TEST((small.devices == IntDict{{"efa", 1}}));
}

BOOST_AUTO_TEST_CASE(unknown_name_fails_with_the_hosts_message) {
  RecordingHost host;
  host.named_resources = &kOneResource;
  slipway_error error;
  const slipway_status status = abi::guard(host.table(), &error, [&] {
    named_resource(Host(host.table()), "smal", Call(nullptr, host.table(), &error));
  });
  BOOST_TEST(status == SLIPWAY_E_NOT_FOUND);
  BOOST_TEST(error.message == "no such resource");
  BOOST_TEST(error.hint == "did you mean small?");
}

BOOST_AUTO_TEST_CASE(a_host_without_resources_is_unimplemented) {
  RecordingHost host;
  BOOST_CHECK_EXCEPTION(named_resource(Host(host.table()), "small", Call()), Error,
                        [](const Error& error) { return error.code() == Code::kUnimplemented; });
}

BOOST_AUTO_TEST_CASE(success_without_a_callback_breaks_the_contract) {
  RecordingHost host;
  host.named_resources = &kSilent;
  BOOST_CHECK_EXCEPTION(named_resource(Host(host.table()), "small", Call()), Error,
                        [](const Error& error) { return error.code() == Code::kAbi; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
