// Text that is safe to print on a terminal.
#include "slipway/visible_text.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

namespace slipway::test {
namespace {

BOOST_AUTO_TEST_SUITE(VisibleText)

BOOST_AUTO_TEST_CASE(printable_text_is_unchanged) {
  for (const std::string text :
       {"", "plain \\x1b text", "a\n\tb", "\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x9A\x80"}) {
    BOOST_TEST(visible_text(text) == text);
    BOOST_TEST(visible_json(text) == text);
  }
}

BOOST_AUTO_TEST_CASE(control_and_invisible_characters_are_escaped) {
  BOOST_TEST(visible_text(std::string_view("\0\x1b[2J\r\x7f", 7)) == "\\x00\\x1b[2J\\x0d\\x7f");
  BOOST_TEST(visible_text("\xC2\x9B"
                          "31m") == "\\u009b31m");
  BOOST_TEST(visible_text("\xE2\x80\xAE\xE2\x81\xA6\xD8\x9C") == "\\u202e\\u2066\\u061c");
  BOOST_TEST(visible_text("a\xE2\x80\x8B\xEF\xBB\xBF\xC2\xAD") == "a\\u200b\\ufeff\\u00ad");
  BOOST_TEST(visible_text("\xE2\x80\xA8\xF3\xA0\x81\x81") == "\\u2028\\U000e0041");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_become_escapes) {
  BOOST_TEST(visible_text("\x9b"
                          "31m\xff\xC3") == "\\x9b31m\\xff\\xc3");
  BOOST_TEST(visible_text("\xED\xA0\x80") == "\\xed\\xa0\\x80");
}

BOOST_AUTO_TEST_CASE(a_line_has_no_newline_and_no_tab) {
  BOOST_TEST(visible_line("a\n\tb\x1b") == "a\\n\\tb\\x1b");
}

BOOST_AUTO_TEST_CASE(json_keeps_its_values) {
  BOOST_TEST(visible_json("{\"a\":\n\"\xC2\x9B\x7f\xE2\x80\xAE\"}") ==
             "{\"a\":\n\"\\u009b\\u007f\\u202e\"}");
  BOOST_TEST(visible_json("\"\xF3\xA0\x81\x81\"") == "\"\\udb40\\udc41\"");
  BOOST_TEST(visible_json("\"\xff\"") == "\"\xEF\xBF\xBD\"");
}

BOOST_AUTO_TEST_CASE(incomplete_character_waits_for_its_end) {
  BOOST_TEST(whole_characters("ab") == 2U);
  BOOST_TEST(whole_characters("") == 0U);
  BOOST_TEST(whole_characters("a\xE2") == 1U);
  BOOST_TEST(whole_characters("a\xE2\x80") == 1U);
  BOOST_TEST(whole_characters("a\xE2\x80\xAE") == 4U);
  BOOST_TEST(whole_characters("a\xF3\xA0\x81") == 1U);
  // No character starts here, so nothing waits.
  BOOST_TEST(whole_characters("\x80\x80\x80\x80\x80") == 5U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::test
