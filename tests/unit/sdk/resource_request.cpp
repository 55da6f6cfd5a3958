#include "slipway/resource_request.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "slipway/error.hpp"

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(ResourceRequests)

BOOST_AUTO_TEST_CASE(resource_with_numbers_needs_no_lookup) {
  // CPUs, GPUs, MiB and a name; 0 means "not given".
  const Resource got = resource({3, 0, 0, ""}, [](const std::string& name) -> Resource {
    throw Error(Code::kNotFound, name);
  });
  BOOST_TEST(got.cpu.whole() == 3);
  BOOST_TEST(got.gpu == 0);
  BOOST_TEST(got.mem_mb == 1024);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
