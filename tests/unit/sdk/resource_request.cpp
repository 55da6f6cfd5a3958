#include "slipway/resource_request.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "slipway/error.hpp"

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(ResourceRequests)

// Requests are CPUs, GPUs, MiB and a name.

Resource no_such_name(const std::string& name) { throw Error(Code::kNotFound, name); }

BOOST_AUTO_TEST_CASE(resource_with_numbers_needs_no_lookup) {
  const Resource got = resource({3, 1, 64, ""}, no_such_name);
  BOOST_TEST(got.cpu.whole() == 3);
  BOOST_TEST(got.gpu == 1);
  BOOST_TEST(got.mem_mb == 64);
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_given_have_defaults) {
  const Resource got = resource({0, 0, 0, ""}, no_such_name);
  BOOST_TEST(got.cpu.whole() == 2);
  BOOST_TEST(got.gpu == 0);
  BOOST_TEST(got.mem_mb == 1024);
}

BOOST_AUTO_TEST_CASE(a_name_wins_over_numbers) {
  const auto eight_cpus = [](const std::string& name) {
    BOOST_TEST(name == "big");
    Resource out;
    out.cpu = 8;
    return out;
  };
  BOOST_TEST(resource({3, 0, 0, "big"}, eight_cpus).cpu.whole() == 8);
  BOOST_CHECK_THROW(resource({3, 0, 0, "smal"}, no_such_name), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
