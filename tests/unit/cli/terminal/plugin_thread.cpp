#include "core/cli/terminal/plugin_thread.hpp"

#include <poll.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <stdexcept>

namespace slipway::cli {
namespace {

void await_end(const PluginThread& thread) {
  pollfd done{thread.done_fd(), POLLIN, 0};
  while (::poll(&done, 1, -1) != 1) {
  }
}

BOOST_AUTO_TEST_SUITE(PluginThreads)

BOOST_AUTO_TEST_CASE(waits_for_several_threads_may_share_one_time_limit) {
  std::promise<void> release;
  const std::shared_future<void> released = release.get_future().share();
  PluginThread first([released] { released.wait(); }, "");
  PluginThread second([released] { released.wait(); }, "");
  PluginThread ended([] {}, "");
  await_end(ended);
  const auto end = PluginThread::Clock::now() + std::chrono::milliseconds(20);
  BOOST_TEST(!first.join_or_leave(end));
  BOOST_TEST((PluginThread::Clock::now() >= end));
  // The time is over now, so neither of these calls waits.
  BOOST_TEST(!second.join_or_leave(end));
  BOOST_TEST(ended.join_or_leave(end));
  release.set_value();
  await_end(first);
  await_end(second);
}

BOOST_AUTO_TEST_CASE(the_failure_of_the_work_is_kept) {
  PluginThread failing([] { throw std::runtime_error("no more"); }, "");
  BOOST_REQUIRE(failing.join_or_leave());
  BOOST_TEST((failing.failure() == "no more"));
  PluginThread working([] {}, "");
  BOOST_REQUIRE(working.join_or_leave());
  BOOST_TEST(!working.failure());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
