#include "sdk/support/time_left.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/host.hpp"

namespace slipway {

namespace {

constexpr std::chrono::milliseconds kLimit{10'000};

std::chrono::milliseconds left_until(std::int64_t deadline_ns) {
  auto call = abi::sized<slipway_call>();
  call.deadline_ns = deadline_ns;
  return time_left(Call(&call, nullptr, nullptr), kLimit);
}

std::int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(TimeLeft)

BOOST_AUTO_TEST_CASE(is_the_limit_or_the_time_up_to_the_deadline) {
  const std::int64_t now_ns = monotonic_ns();
  BOOST_TEST((time_left(Call(), kLimit) == kLimit));
  BOOST_TEST((left_until(now_ns + 3'600'000'000'000) == kLimit));
  BOOST_TEST((left_until(now_ns) == std::chrono::milliseconds(0)));
  BOOST_TEST((left_until(now_ns + 9'000'000'000) < kLimit));
}

BOOST_AUTO_TEST_CASE(is_0_only_from_the_deadline_on) {
  const std::int64_t deadline_ns = monotonic_ns() + 3'000'000;
  while (left_until(deadline_ns).count() > 0) {
  }
  BOOST_TEST(monotonic_ns() >= deadline_ns);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway
