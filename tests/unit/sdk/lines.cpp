#include "slipway/lines.hpp"

#include <boost/test/unit_test.hpp>
#include <string_view>
#include <vector>

namespace slipway {
namespace {

using Pieces = std::vector<std::string_view>;

BOOST_AUTO_TEST_SUITE(Lines)

BOOST_AUTO_TEST_CASE(lines_keep_their_end_and_are_views_into_the_text) {
  const std::string_view text = "a\nbc\r\n\nd";
  const Pieces lines = split_lines(text);
  BOOST_TEST((lines == Pieces{"a\n", "bc\r\n", "\n", "d"}));
  BOOST_TEST(static_cast<const void*>(lines[1].data()) ==
             static_cast<const void*>(text.data() + 2));
}

BOOST_AUTO_TEST_CASE(empty_text_has_no_lines) {
  BOOST_TEST(split_lines("").empty());
  BOOST_TEST((split_lines("\n") == Pieces{"\n"}));
}

BOOST_AUTO_TEST_CASE(only_a_newline_ends_a_line) {
  BOOST_TEST(split_lines("a\rb\x0b\x0c\xC2\x85z").size() == 1U);
  BOOST_TEST(split_lines(std::string_view("a\0b\nc", 5)).size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
