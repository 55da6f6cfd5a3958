#include "plugins/local/logs/line_pattern.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "slipway/error.hpp"

namespace slipway::local {
namespace {

BOOST_AUTO_TEST_SUITE(LocalLinePattern)

BOOST_AUTO_TEST_CASE(is_searched_for_anywhere_in_the_line) {
  LinePattern pattern("up on port \\d+$");
  BOOST_TEST(pattern.matches("12:00 up on port 80\n"));
  BOOST_TEST(!pattern.matches("up on port 80 soon\n"));
  BOOST_TEST(!pattern.matches(""));
}

BOOST_AUTO_TEST_CASE(invalid_utf_8_around_it_does_no_harm) {
  LinePattern pattern("ready");
  BOOST_TEST(pattern.matches("\xFF\xC3 ready \xE2\x82\n"));
}

BOOST_AUTO_TEST_CASE(a_mistake_is_told_with_its_place) {
  BOOST_CHECK_EXCEPTION(LinePattern("ab("), Error, [](const Error& error) {
    return error.code() == Code::kInvalid && error.message().find("character") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_line_that_would_take_too_long_does_not_match) {
  LinePattern pattern("^(a+)+$");
  BOOST_TEST(!pattern.matches(std::string(64, 'a') + "b"));
  BOOST_TEST(pattern.matches("aaa"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
