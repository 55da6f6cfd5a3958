#include "core/registry/calls/call_error.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "slipway/error.hpp"
#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry {
namespace {

/// Returns the error of a call that failed with this status and without a message.
Error error_without_reason(slipway_status status, const std::string& hint = {}) {
  slipway_error error;
  error.hint = hint;
  return test::error_of([&] { throw_if_failed(status, error, "org.example.good"); });
}

BOOST_AUTO_TEST_SUITE(CallErrors)

BOOST_AUTO_TEST_CASE(error_without_a_reason_is_a_defect_of_the_plugin) {
  BOOST_TEST(error_without_reason(SLIPWAY_E_CONFIG).hint() == kReasonIsMissing);
  BOOST_TEST(error_without_reason(SLIPWAY_E_CONFIG, "set HQ_HOST").hint() == "set HQ_HOST");
  // These statuses explain themselves: the first two follow ^C and --timeout, and the third says
  // that the plug-in does not implement the call.
  for (const slipway_status status :
       {SLIPWAY_E_CANCELLED, SLIPWAY_E_TIMEOUT, SLIPWAY_E_UNIMPLEMENTED}) {
    const Error error = error_without_reason(status);
    BOOST_TEST(error.message() == "no reason given: " + status_text(status));
    BOOST_TEST(error.hint() == "");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
