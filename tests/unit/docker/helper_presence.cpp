#include "plugins/docker/state/helper_presence.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugins/docker/state/helper_address.hpp"
#include "plugins/docker/state/readiness_report.hpp"
#include "tests/unit/descriptor_limit.hpp"
#include "tests/unit/docker/own_id.hpp"

namespace slipway::docker {

namespace {

bool is_readable(int fd) {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, 0) > 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(DockerHelperPresence)

BOOST_AUTO_TEST_CASE(app_without_a_helper_cannot_be_watched) {
  BOOST_TEST(!has_helper("app-nosuch"));
  BOOST_TEST(!watch_helper("app-nosuch"));
}

BOOST_AUTO_TEST_CASE(helper_with_a_full_queue_is_found_but_cannot_be_watched) {
  const HelperClaim claim(own_id("crowded"));
  BOOST_REQUIRE(claim.is_held());
  BOOST_REQUIRE(::listen(claim.fd(), 0) == 0);  // shortens the queue
  std::vector<OwnedFd> watchers;
  for (int i = 0; i < 10; ++i) {
    OwnedFd watcher = watch_helper(own_id("crowded"));
    if (!watcher) break;
    watchers.push_back(std::move(watcher));
  }
  // An unconnected socket would always be ready, so a waiting command would never wait.
  BOOST_TEST(!watchers.empty());
  BOOST_TEST(watchers.size() < 10U);
  BOOST_TEST(has_helper(own_id("crowded")));
}

BOOST_AUTO_TEST_CASE(helper_without_descriptors_knows_that_watchers_wait) {
  std::optional<HelperClaim> claim(std::in_place, own_id("short"));
  const OwnedFd watcher = watch_helper(own_id("short"));
  BOOST_REQUIRE(watcher);
  {
    const DescriptorLimit shortage(0);
    BOOST_TEST(!claim->admit_watchers());
  }
  BOOST_TEST(!is_readable(watcher.get()));
  BOOST_TEST(claim->admit_watchers());
  BOOST_TEST(!is_readable(claim->fd()));
  BOOST_TEST(!is_readable(watcher.get()));
  claim.reset();
  BOOST_TEST(is_readable(watcher.get()));
}

BOOST_AUTO_TEST_CASE(report_without_descriptors_knows_that_processes_wait_for_it) {
  ReadinessReport report(own_id("short"));
  const OwnedFd asker =
      HelperAddress(HelperAddress::Purpose::kReadiness, own_id("short")).connect().socket;
  {
    const DescriptorLimit shortage(0);
    BOOST_TEST(!report.answer({}));
  }
  BOOST_TEST(report.answer({}));
  BOOST_TEST(!is_readable(report.fd()));
  BOOST_TEST(is_readable(asker.get()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
