#include "plugins/local/logs/watch_set.hpp"

#include <sys/inotify.h>

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/local/logs/fixture.hpp"

namespace {

using slipway::local::WatchSet;
using slipway::local::testing::LogDirectory;

BOOST_AUTO_TEST_SUITE(WatchSetOfLogs)

BOOST_AUTO_TEST_CASE(events_have_the_tag_and_the_name) {
  const LogDirectory logs;
  WatchSet watches;
  BOOST_TEST_REQUIRE(watches.open());
  std::int32_t watch = -1;
  BOOST_TEST_REQUIRE(
      (watches.arm(logs.root.c_str(), IN_CREATE, 7, watch) == WatchSet::Arm::kArmed));
  logs.append("stdout.log", "x");
  std::vector<std::string> seen;
  BOOST_TEST(watches.read([&](const WatchSet::Event& event) {
    seen.push_back(std::to_string(event.tag) + " " + std::string(event.name));
  }));
  BOOST_TEST(seen == std::vector<std::string>{"7 stdout.log"});
}

BOOST_AUTO_TEST_CASE(arm_reports_a_missing_file_and_one_that_has_another_tag) {
  const LogDirectory logs;
  WatchSet watches;
  BOOST_TEST_REQUIRE(watches.open());
  std::int32_t watch = -1;
  BOOST_TEST(
      (watches.arm(logs.path("none").c_str(), IN_MODIFY, 1, watch) == WatchSet::Arm::kMissing));
  BOOST_TEST(watch == -1);
  logs.append("a", "x");
  BOOST_TEST((watches.arm(logs.path("a").c_str(), IN_MODIFY, 1, watch) == WatchSet::Arm::kArmed));
  BOOST_TEST((watches.arm(logs.path("a").c_str(), IN_MODIFY, 1, watch) == WatchSet::Arm::kArmed));
  BOOST_TEST(
      (watches.arm(logs.path("a").c_str(), IN_MODIFY, 2, watch) == WatchSet::Arm::kUnwatchable));
}

BOOST_AUTO_TEST_CASE(dropped_watch_has_no_events) {
  const LogDirectory logs;
  logs.append("a", "x");
  WatchSet watches;
  BOOST_TEST_REQUIRE(watches.open());
  std::int32_t watch = -1;
  watches.arm(logs.path("a").c_str(), IN_MODIFY, 1, watch);
  watches.drop(watch);
  watches.drop(watch);  // no effect
  logs.append("a", "y");
  BOOST_TEST(watches.read([](const WatchSet::Event&) { BOOST_ERROR("an event"); }));
}

BOOST_AUTO_TEST_CASE(forgotten_watch_has_no_events_and_may_be_armed_again) {
  const LogDirectory logs;
  logs.append("a", "x");
  WatchSet watches;
  BOOST_TEST_REQUIRE(watches.open());
  std::int32_t watch = -1;
  watches.arm(logs.path("a").c_str(), IN_MODIFY, 1, watch);
  watches.forget(watch);
  watches.forget(watch);  // no effect
  logs.append("a", "y");
  BOOST_TEST(watches.read([](const WatchSet::Event&) { BOOST_ERROR("an event"); }));
  BOOST_TEST((watches.arm(logs.path("a").c_str(), IN_MODIFY, 2, watch) == WatchSet::Arm::kArmed));
  logs.append("a", "z");
  std::uint32_t tag = 0;
  BOOST_TEST(watches.read([&](const WatchSet::Event& event) { tag = event.tag; }));
  BOOST_TEST(tag == 2U);
}

// The kernel gives a renewed one-shot watch a higher number. The table must still find the watches
// that were not renewed.
BOOST_AUTO_TEST_CASE(keeps_a_thousand_watches_apart_while_some_are_renewed) {
  constexpr std::uint32_t kFiles = 1000;
  const LogDirectory logs;
  for (std::uint32_t i = 0; i < kFiles; ++i) logs.append(std::to_string(i), "");
  WatchSet watches;
  BOOST_TEST_REQUIRE(watches.open());
  std::int32_t watch = -1;
  const auto arm = [&](std::uint32_t i) {
    const auto armed =
        watches.arm(logs.path(std::to_string(i)).c_str(), IN_MODIFY | IN_ONESHOT, i, watch);
    BOOST_TEST_REQUIRE((armed == WatchSet::Arm::kArmed));
  };
  for (std::uint32_t i = 0; i < kFiles; ++i) arm(i);
  for (int round = 0; round < 50; ++round) {
    std::set<std::uint32_t> written;
    for (std::uint32_t i = 0; i < kFiles; i += 37) {
      logs.append(std::to_string(i), "x");
      written.insert(i);
    }
    std::set<std::uint32_t> seen;
    watches.read([&](const WatchSet::Event& event) { seen.insert(event.tag); });
    BOOST_TEST_REQUIRE((seen == written));
    for (const std::uint32_t i : written) arm(i);
  }
  std::set<std::uint32_t> seen;
  for (std::uint32_t i = 0; i < kFiles; ++i) logs.append(std::to_string(i), "x");
  watches.read([&](const WatchSet::Event& event) { seen.insert(event.tag); });
  BOOST_TEST(seen.size() == kFiles);
}

BOOST_AUTO_TEST_CASE(read_reports_that_the_kernel_lost_events) {
  std::ifstream limit_file("/proc/sys/fs/inotify/max_queued_events");
  std::size_t limit = 0;
  limit_file >> limit;
  if (limit == 0 || limit > 100'000) return;  // filling such a queue takes too long
  const LogDirectory logs;
  logs.append("a", "");
  logs.append("b", "");
  WatchSet watches;
  BOOST_TEST_REQUIRE(watches.open());
  std::int32_t watch = -1;
  watches.arm(logs.path("a").c_str(), IN_MODIFY, 1, watch);
  watches.arm(logs.path("b").c_str(), IN_MODIFY, 2, watch);
  // Alternates files, because the kernel merges equal neighbours in its queue.
  const slipway::OwnedFd a(::open(logs.path("a").c_str(), O_WRONLY | O_CLOEXEC));
  const slipway::OwnedFd b(::open(logs.path("b").c_str(), O_WRONLY | O_CLOEXEC));
  for (std::size_t i = 0; i <= limit; ++i) {
    BOOST_TEST_REQUIRE(::pwrite(i % 2 == 0 ? a.get() : b.get(), "x", 1, 0) == 1);
  }
  BOOST_TEST(!watches.read([](const WatchSet::Event&) {}));
  // All watches are forgotten, so the file may have another tag.
  BOOST_TEST((watches.arm(logs.path("a").c_str(), IN_MODIFY, 3, watch) == WatchSet::Arm::kArmed));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
