#include "core/runner/app_watch.hpp"

#include <poll.h>
#include <sys/timerfd.h>

#include <boost/test/unit_test.hpp>

#include "tests/unit/registry/objects/object_fixture.hpp"

namespace slipway {
namespace {

// A scheduler without events.
struct PolledScheduler {
  registry::test::RecordingHost host;
  slipway_scheduler_vtbl table = registry::test::minimal_scheduler();
  slipway_scheduler object{&table};
  registry::PluginScheduler scheduler{registry::test::any_library(host), &object, "polled"};
};

std::int64_t left_ms(int timer) {
  itimerspec left{};
  BOOST_REQUIRE(::timerfd_gettime(timer, &left) == 0);
  return left.it_value.tv_sec * 1000 + left.it_value.tv_nsec / 1'000'000;
}

bool is_readable(int fd) {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, 0) > 0;
}

BOOST_FIXTURE_TEST_SUITE(AppWatchTest, PolledScheduler)

BOOST_AUTO_TEST_CASE(pauses_between_polls_grow_to_two_seconds) {
  AppWatch watch(scheduler, "app-1", EventScope::kState);
  BOOST_TEST(left_ms(watch.fd()) <= 20);
  pollfd one{watch.fd(), POLLIN, 0};
  BOOST_REQUIRE(::poll(&one, 1, 60'000) == 1);
  for (const std::int64_t pause_ms : {40, 80, 160, 320, 640, 1280, 2000, 2000}) {
    BOOST_TEST(watch.drain());
    BOOST_TEST(left_ms(watch.fd()) <= pause_ms);
  }
  BOOST_TEST(!is_readable(watch.fd()));
  // Longer than the pause of 1280 ms, although a part of the two seconds may have passed.
  BOOST_TEST(left_ms(watch.fd()) > 1280);
}

BOOST_AUTO_TEST_CASE(renewed_watch_polls_soon_again) {
  AppWatch watch(scheduler, "app-1", EventScope::kState);
  for (int i = 0; i < 10; ++i) watch.drain();
  watch.renew();
  BOOST_TEST(left_ms(watch.fd()) <= 20);
  pollfd one{watch.fd(), POLLIN, 0};
  BOOST_TEST(::poll(&one, 1, 60'000) == 1);  // the timer is set
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
