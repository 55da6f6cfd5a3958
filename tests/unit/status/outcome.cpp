#include "core/status/outcome.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>

namespace slipway {
namespace {

std::optional<bool> readiness_in(const std::string& details) {
  ReplicaStatus replica;
  replica.details_json = details;
  return readiness(replica);
}

BOOST_AUTO_TEST_SUITE(ReplicaReadiness)

BOOST_AUTO_TEST_CASE(is_the_schedulers_value) {
  BOOST_TEST((readiness_in(R"({"gpus":[1],"ready":true})") == true));
  BOOST_TEST((readiness_in(R"({"ready":false})") == false));
}

BOOST_AUTO_TEST_CASE(is_empty_if_the_scheduler_does_not_report_it) {
  for (const char* details : {"", "{}", R"({"ready":"yes"})", "[true]", "{"})
    BOOST_TEST(!readiness_in(details).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
