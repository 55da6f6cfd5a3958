// Leases of GPUs and ports belong to descriptors and end with them.
#include "plugins/local/engine/machine_leases.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <string>

#include "slipway/error.hpp"

namespace slipway::local {
namespace {

std::string own_pool() { return "unit-" + std::to_string(::getpid()); }

}  // namespace

BOOST_AUTO_TEST_SUITE(LocalEngineMachineLeases)

BOOST_AUTO_TEST_CASE(lease_has_one_holder_at_a_time) {
  const OwnedFd first = make_lease_holder();
  OwnedFd second = make_lease_holder();
  BOOST_TEST(!has_lease(first));
  BOOST_TEST(take_lease(first, own_pool(), "x"));
  BOOST_TEST(take_lease(first, own_pool(), "x"));
  BOOST_TEST(has_lease(first));
  BOOST_TEST(!take_lease(second, own_pool(), "x"));
  BOOST_TEST(!has_lease(second));
  BOOST_TEST(take_lease(second, own_pool(), "y"));
}

BOOST_AUTO_TEST_CASE(copy_of_the_descriptor_keeps_the_lease) {
  OwnedFd first = make_lease_holder();
  BOOST_TEST(take_lease(first, own_pool(), "x"));
  OwnedFd copy(::fcntl(first.get(), F_DUPFD_CLOEXEC, 0));
  first.reset();
  const OwnedFd second = make_lease_holder();
  BOOST_TEST(!take_lease(second, own_pool(), "x"));
  copy.reset();
  BOOST_TEST(take_lease(second, own_pool(), "x"));
}

BOOST_AUTO_TEST_CASE(pools_have_separate_leases) {
  const OwnedFd first = make_lease_holder();
  const OwnedFd second = make_lease_holder();
  BOOST_TEST(take_lease(first, own_pool(), "x"));
  BOOST_TEST(take_lease(second, own_pool() + "b", "x"));
}

BOOST_AUTO_TEST_CASE(block_of_ports_is_leased_once_at_a_time) {
  const OwnedFd lease = lease_ports(own_pool(), 10 * kPortsPerLease);
  BOOST_TEST(static_cast<bool>(lease));
  BOOST_TEST(!lease_ports(own_pool(), 10 * kPortsPerLease));
  BOOST_TEST(static_cast<bool>(lease_ports(own_pool(), 11 * kPortsPerLease)));
}

BOOST_AUTO_TEST_CASE(users_of_one_kind_of_lease_are_listed) {
  const OwnedFd gpu = make_lease_holder();
  const OwnedFd port = make_lease_holder();
  BOOST_TEST(take_lease(gpu, own_pool(), "gpu/3"));
  BOOST_TEST(take_lease(port, own_pool(), "ports/10016"));
  const auto users = lease_users(own_pool(), "gpu/");
  BOOST_TEST_REQUIRE(users.size() == 1U);
  BOOST_TEST(users.begin()->first == "3");
  BOOST_TEST(users.begin()->second == ::geteuid());
}

BOOST_AUTO_TEST_CASE(environment_names_the_pool_unless_the_name_is_too_long) {
  ::unsetenv("SLIPWAY_LOCAL_LEASE_POOL");
  BOOST_TEST(lease_pool() == "machine");
  ::setenv("SLIPWAY_LOCAL_LEASE_POOL", "room-7", 1);
  BOOST_TEST(lease_pool() == "room-7");
  const std::string longest(kLongestPool, 'a');
  // The longest name of a lease fits behind the longest pool.
  BOOST_TEST(has_lease(show_unused_ports(longest, 65504, {65504})));
  ::setenv("SLIPWAY_LOCAL_LEASE_POOL", (longest + 'a').c_str(), 1);
  BOOST_CHECK_THROW(lease_pool(), Error);
  ::unsetenv("SLIPWAY_LOCAL_LEASE_POOL");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::local
