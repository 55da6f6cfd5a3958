#include "sdk/support/ascii_json.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/json_text.hpp"

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(AsciiJson)

BOOST_AUTO_TEST_CASE(characters_beyond_ascii_become_escapes) {
  BOOST_TEST(ascii_json("{\"a\": \"\xC3\xA9\"}") == "{\"a\": \"\\u00e9\"}");
  BOOST_TEST(ascii_json("\"\xE2\x82\xAC\"") == "\"\\u20ac\"");
  BOOST_TEST(ascii_json("\"\xF0\x9F\x98\x80\"") == "\"\\ud83d\\ude00\"");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf_8_become_pythons_surrogates) {
  BOOST_TEST(ascii_json("\"/d\xFF\"") == "\"/d\\udcff\"");
  BOOST_TEST(ascii_json("\"\xE2\x82\"") == "\"\\udce2\\udc82\"");
  BOOST_TEST(ascii_json("\"\xED\xA0\x80\"") == "\"\\udced\\udca0\\udc80\"");
}

BOOST_AUTO_TEST_CASE(quoted_text_is_what_python_dumps) {
  BOOST_TEST(ascii_json(json_quote("a\"\\\n\x01\x7f\xC3\xA9")) ==
             "\"a\\\"\\\\\\n\\u0001\\u007f\\u00e9\"");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
