#include "core/runner/replica_watch.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <optional>

#include "core/runner/poll_timeout.hpp"
#include "slipway/detail/views.hpp"
#include "tests/unit/registry/objects/object_fixture.hpp"

namespace slipway {
namespace {

// What the functions of the scheduler below return and count; each fixture resets it.
struct Script {
  slipway_status drain_status = SLIPWAY_OK;
  int subscriptions = 0;
  int drains = 0;
};
Script busy_script;
int event_descriptor() {
  static const OwnedFd readable(::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK));
  return readable.get();
}

// A scheduler whose subscriptions always have an event.
struct BusyScheduler {
  registry::test::RecordingHost host;
  slipway_scheduler_vtbl table = registry::test::minimal_scheduler();
  slipway_scheduler object{&table};
  registry::PluginScheduler scheduler;
  int looks = 0;

  BusyScheduler() : scheduler(fill_table_and_load(table), &object, "busy") {
    busy_script = Script();
  }

  std::shared_ptr<registry::Library> fill_table_and_load(slipway_scheduler_vtbl& functions) {
    functions.describe = [](slipway_scheduler*, const slipway_call*, slipway_str app_id,
                            const slipway_describe_opts*, slipway_on_description on_description,
                            void* ctx, slipway_error*) {
      auto description = abi::sized<slipway_description>();
      description.state = SLIPWAY_STATE_RUNNING;
      description.app_id = app_id;
      return on_description(ctx, &description);
    };
    functions.events_open = [](slipway_scheduler*, const slipway_call*, slipway_str,
                               const slipway_events_opts*, slipway_events** out, slipway_error*) {
      ++busy_script.subscriptions;
      *out = reinterpret_cast<slipway_events*>(&busy_script);
      return slipway_status{SLIPWAY_OK};
    };
    functions.events_fd = [](slipway_events*) -> std::int32_t { return event_descriptor(); };
    functions.events_drain = [](slipway_events*, slipway_error* err) {
      ++busy_script.drains;
      if (busy_script.drain_status < 0)
        return registry::test::fail(err, busy_script.drain_status, "busy");
      return busy_script.drain_status;
    };
    functions.events_close = [](slipway_events*) {};
    return registry::test::any_library(host);
  }

  ReplicaWatch::OnLook count_look = [this](const Description&) {
    ++looks;
    return std::nullopt;
  };

  // Lets the watch work until it looks at the app again.
  void look_again(ReplicaWatch& watch) {
    const int before = looks;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (looks == before) {
      BOOST_REQUIRE(std::chrono::steady_clock::now() < deadline);
      pollfd one{watch.fd(), POLLIN, 0};
      ::poll(&one, 1, poll_timeout(std::min(watch.next_step().value_or(deadline), deadline)));
      watch.step();
    }
  }
};

BOOST_FIXTURE_TEST_SUITE(ReplicaWatchTest, BusyScheduler)

BOOST_AUTO_TEST_CASE(subscription_continues_after_a_temporary_error) {
  ReplicaWatch watch(scheduler, "app-1", count_look);
  look_again(watch);
  busy_script.drain_status = SLIPWAY_E_TEMPORARY;
  look_again(watch);
  busy_script.drain_status = SLIPWAY_OK;
  look_again(watch);
  BOOST_TEST(busy_script.drains == 2);
  BOOST_TEST(busy_script.subscriptions == 1);
}

BOOST_AUTO_TEST_CASE(app_is_watched_again_after_its_subscription_has_ended) {
  ReplicaWatch watch(scheduler, "app-1", count_look);
  look_again(watch);
  busy_script.drain_status = SLIPWAY_END;
  look_again(watch);
  look_again(watch);
  BOOST_TEST(busy_script.subscriptions == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
