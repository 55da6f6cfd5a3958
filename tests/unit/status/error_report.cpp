#include "core/status/error_report.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(ReadErrorReport)

BOOST_AUTO_TEST_CASE(reads_what_torchelastic_writes) {
  const auto report = read_error_report(
      R"({"message":{"message":"boom","errorCode":3,"extraInfo":{"timestamp":"1700000000"}}})");
  BOOST_REQUIRE(report);
  BOOST_TEST(report->message == "boom");
  BOOST_TEST(report->exit_code == "3");
  BOOST_TEST(*report->timestamp == 1700000000);
}

BOOST_AUTO_TEST_CASE(missing_and_wrong_members_are_dropped) {
  // An errorCode of 0 counts as missing.
  for (const char* text :
       {R"({"message":{"message":"m"}})",
        R"({"message":{"message":"m","errorCode":0,"extraInfo":{"timestamp":"1.5"}}})",
        R"({"message":{"message":"m","errorCode":null,"extraInfo":{"timestamp":1e300}}})",
        R"({"message":{"message":"m","extraInfo":[]}})"}) {
    const auto report = read_error_report(text);
    BOOST_REQUIRE(report);
    BOOST_TEST(report->exit_code.empty());
    BOOST_TEST(!report->timestamp);
  }
}

BOOST_AUTO_TEST_CASE(other_format_is_not_a_report) {
  for (const char* text : {"", "text", "[]", "{}", R"({"message":"m"})", R"({"message":{}})",
                           R"({"message":{"message":1}})"})
    BOOST_TEST(!read_error_report(text));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
