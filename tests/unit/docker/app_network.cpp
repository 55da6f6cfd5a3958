#include "plugins/docker/scheduler/app_network.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

namespace slipway::docker {

namespace {

bool cannot_connect_with(int status, const std::string& words) {
  Answer answer;
  answer.status = status;
  answer.body = "{\"message\":\"" + words + "\"}";
  return cannot_connect(answer);
}

BOOST_AUTO_TEST_SUITE(AppNetworks)

BOOST_AUTO_TEST_CASE(failures_of_the_network_are_known_by_the_words_of_the_engine) {
  for (const char* words :
       {"failed to create endpoint a on network n: failed to add the host (veth1) <=> sandbox "
        "(veth2) pair interfaces: operation not supported",
        "driver failed programming external connectivity on endpoint a: no chain",
        "failed to set up container networking: no such device",
        "failed to add interface veth1 to sandbox: file exists",
        "no available IPv4 addresses on this network's address pools: n"})
    BOOST_TEST(cannot_connect_with(500, words), words);
}

BOOST_AUTO_TEST_CASE(program_or_mount_of_the_user_is_no_failure_of_the_network) {
  for (const char* words :
       {"OCI runtime create failed: exec: 'bridge-worker': executable file not found in $PATH",
        "error mounting '/srv/veth' to rootfs at '/iptables': operation not supported",
        "unable to find user bridge: no matching entries in passwd file"})
    BOOST_TEST(!cannot_connect_with(500, words), words);
  BOOST_TEST(!cannot_connect_with(204, "failed to create endpoint"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace slipway::docker
