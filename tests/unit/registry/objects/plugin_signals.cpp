#include <boost/test/unit_test.hpp>
#include <cstddef>

#include "core/registry/objects/plugin_scheduler.hpp"
#include "slipway/detail/signal_thunks.hpp"
#include "tests/unit/registry/objects/object_fixture.hpp"

namespace slipway::registry {
namespace {

using test::any_library;
using test::fail;
using test::throws;

slipway_status send_answer = SLIPWAY_OK;  // of send()

slipway_status send(slipway_scheduler*, const slipway_call*, const slipway_signal_order* order,
                    slipway_on_signal_result on_result, void* ctx, slipway_error* err) {
  if (send_answer < 0) return fail(err, send_answer, "not today");
  // The signal comes back as the number of the replica, so that the test sees it.
  const SignalResult result{"role", order->signal, true, {}};
  const slipway_signal_result v = abi::view_of(result);
  return on_result(ctx, &v);
}

slipway_scheduler_signal signal_ability{sizeof(slipway_scheduler_signal), 0, &send};

const void* get_extension(slipway_scheduler*, slipway_str id) {
  return abi::text(id) == SLIPWAY_SCHEDULER_SIGNAL ? &signal_ability : nullptr;
}

struct SignalsFixture {
  SignalsFixture() {
    send_answer = SLIPWAY_OK;
    signal_ability.struct_size = sizeof signal_ability;
    table.get_extension = get_extension;
  }

  test::RecordingHost host;
  slipway_scheduler_vtbl table = test::minimal_scheduler();
  slipway_scheduler object{&table};
  PluginScheduler scheduler{any_library(host), &object, "little"};
};

BOOST_FIXTURE_TEST_SUITE(PluginSignals, SignalsFixture)

BOOST_AUTO_TEST_CASE(results_become_values_and_failures_errors) {
  const std::vector<SignalResult> results = scheduler.signal({"app-1", 10, {}});
  BOOST_REQUIRE(results.size() == 1U);
  BOOST_TEST(results[0].role == "role");
  BOOST_TEST(results[0].replica == 10);
  BOOST_TEST(results[0].sent);
  send_answer = SLIPWAY_E_PRECONDITION;
  BOOST_TEST(throws(Code::kPrecondition, [&] { scheduler.signal({"app-1", 10, {}}); }));
}

BOOST_AUTO_TEST_CASE(a_plugin_that_was_built_before_signals_sends_none) {
  const auto sends_none = [&] {
    return throws(Code::kUnimplemented, [&] { scheduler.signal({"app-1", 10, {}}); });
  };
  signal_ability.struct_size = offsetof(slipway_scheduler_signal, send);
  BOOST_TEST(sends_none());
  signal_ability.struct_size = sizeof signal_ability;
  table.get_extension = [](slipway_scheduler*, slipway_str) -> const void* { return nullptr; };
  BOOST_TEST(sends_none());
  table.get_extension = nullptr;
  BOOST_TEST(sends_none());
  // The table of the scheduler ends before get_extension.
  table.get_extension = get_extension;
  table.struct_size = offsetof(slipway_scheduler_vtbl, get_extension);
  BOOST_TEST(sends_none());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
