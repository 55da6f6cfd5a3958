// Proposes the chmod command that gives a process access.
#include "sdk/support/permission_hint.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::test {
namespace {

BOOST_AUTO_TEST_SUITE(PermissionHint)

// tests/cli tests directories that an ordinary user cannot enter.
BOOST_AUTO_TEST_CASE(the_bits_of_the_owner_or_of_others_are_changed) {
  BOOST_TEST(permission_hint("/proc/self/environ", "r") == "chmod u+r /proc/self/environ");
  BOOST_TEST(permission_hint("/nonexistent/file", "rx") == "chmod o+rx /nonexistent/file");
  BOOST_TEST(permission_hint("/nonexistent/o'brien", "r") ==
             R"(chmod o+r '/nonexistent/o'"'"'brien')");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::test
