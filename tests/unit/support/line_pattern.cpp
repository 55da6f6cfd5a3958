#include "sdk/support/line_pattern.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "slipway/error.hpp"

namespace slipway {
namespace {

using Effort = LinePattern::Effort;
using Result = LinePattern::Result;

bool matches(LinePattern& pattern, std::string_view line) {
  return pattern.search(line) == Result::kYes;
}

BOOST_AUTO_TEST_SUITE(LinePatterns)

BOOST_AUTO_TEST_CASE(pattern_is_searched_for_anywhere_in_the_line) {
  LinePattern pattern("up on port \\d+$", Effort::kQuick);
  BOOST_TEST(matches(pattern, "12:00 up on port 80\n"));
  BOOST_TEST(!matches(pattern, "up on port 80 soon\n"));
  BOOST_TEST(!matches(pattern, ""));
}

BOOST_AUTO_TEST_CASE(invalid_utf_8_beside_a_match_is_accepted) {
  LinePattern pattern("ready", Effort::kThorough);
  BOOST_TEST(matches(pattern, "\xFF\xC3 ready \xE2\x82\n"));
}

BOOST_AUTO_TEST_CASE(mistake_is_reported_with_its_place) {
  BOOST_CHECK_EXCEPTION(LinePattern("ab(", Effort::kThorough), Error, [](const Error& error) {
    return error.code() == Code::kInvalid &&
           error.message().find("at character 4 of ab(") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(place_of_a_mistake_counts_characters_and_not_bytes) {
  BOOST_CHECK_EXCEPTION(LinePattern("\xC3\xA4\xC3\xA4(", Effort::kThorough), Error,
                        [](const Error& error) {
                          return error.message().find("at character 4 of ") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(line_that_takes_too_long_is_reported_by_every_effort) {
  for (const Effort effort : {Effort::kThorough, Effort::kQuick}) {
    LinePattern pattern("^(a+)+$", effort);
    BOOST_TEST((pattern.search(std::string(64, 'a') + "b") == Result::kTooExpensive));
    BOOST_TEST(matches(pattern, "aaa"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
