#include "sdk/support/line_cut.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

namespace {

using slipway::kLongLine;
using slipway::whole_lines;
using slipway::whole_states;

BOOST_AUTO_TEST_SUITE(LineCut)

BOOST_AUTO_TEST_CASE(cuts_after_the_last_newline) {
  BOOST_TEST(whole_lines("a\nbc\nd", /*is_last=*/false) == 5U);
  BOOST_TEST(whole_lines("a\n", /*is_last=*/false) == 2U);
  BOOST_TEST(whole_lines("\n\n", /*is_last=*/false) == 2U);
}

BOOST_AUTO_TEST_CASE(keeps_a_partial_line_until_the_end) {
  BOOST_TEST(whole_lines("partial", /*is_last=*/false) == 0U);
  BOOST_TEST(whole_lines("partial", /*is_last=*/true) == 7U);
  BOOST_TEST(whole_lines("", /*is_last=*/true) == 0U);
}

BOOST_AUTO_TEST_CASE(carriage_return_ends_a_state_but_no_line) {
  BOOST_TEST(whole_lines("10%\r20%\r", /*is_last=*/false) == 0U);
  BOOST_TEST(whole_states("10%\r20%\r", /*is_last=*/false) == 8U);
  BOOST_TEST(whole_states("a\n10%\r2", /*is_last=*/false) == 6U);
  BOOST_TEST(whole_states("a\rb\nc", /*is_last=*/false) == 4U);
  BOOST_TEST(whole_states("20", /*is_last=*/false) == 0U);
  BOOST_TEST(whole_states("20", /*is_last=*/true) == 2U);
}

BOOST_AUTO_TEST_CASE(passes_a_long_line_in_pieces) {
  BOOST_TEST(whole_lines(std::string(kLongLine - 1, 'x'), /*is_last=*/false) == 0U);
  BOOST_TEST(whole_lines(std::string(kLongLine, 'x'), /*is_last=*/false) == kLongLine);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
