#include "plugins/docker/state/readiness_report.hpp"

#include <poll.h>

#include <boost/test/unit_test.hpp>
#include <string>
#include <thread>

#include "tests/unit/docker/own_id.hpp"

namespace slipway::docker {

namespace {

/// Returns an id of 64 digits. Its first 12 digits are the number, because a report has only those.
std::string id_of(int number) {
  std::string out = std::to_string(number);
  return std::string(12 - out.size(), '0') + out + std::string(52, 'f');
}

/// Returns the answer of a helper that reports `ready` once.
std::optional<ReadyContainers> ask(const std::string& app_id, const ReadyContainers& ready) {
  ReadinessReport report(app_id);
  BOOST_REQUIRE(report.fd() >= 0);
  std::thread helper([&] {
    pollfd asked{report.fd(), POLLIN, 0};
    ::poll(&asked, 1, 60'000);
    report.answer(ready);
  });
  auto out = ask_ready_containers(app_id, Call());
  helper.join();
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(DockerReadinessReport)

BOOST_AUTO_TEST_CASE(helper_names_the_containers_that_are_ready) {
  ReadyContainers ready;
  const auto none = ask(own_id("none"), ready);
  BOOST_REQUIRE(none);
  BOOST_TEST(!none->contains(id_of(1)));
  constexpr int kMany = 10'000;  // more than the process reads at once
  for (int i = 0; i < kMany; ++i) ready.add(id_of(2 * i));
  const auto answer = ask(own_id("many"), ready);
  BOOST_REQUIRE(answer);
  BOOST_TEST(answer->contains(id_of(2 * kMany - 2)));
  BOOST_TEST(!answer->contains(id_of(2 * kMany - 1)));
}

BOOST_AUTO_TEST_CASE(nothing_is_known_without_a_helper) {
  BOOST_TEST(!ask_ready_containers("app-nosuch", Call()));
}

BOOST_AUTO_TEST_CASE(nothing_is_known_if_the_helper_does_not_answer_in_time) {
  const ReadinessReport report(own_id("silent"));
  BOOST_REQUIRE(report.fd() >= 0);
  BOOST_TEST(!ask_ready_containers(own_id("silent"), Call()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
