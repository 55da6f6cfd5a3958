#include "slipway/json_text.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>

#include "slipway/macros.hpp"

namespace slipway::sdk_test {
namespace {

const MacroValues& values() {
  static const MacroValues macros{"/img \"x\"", "app-1", "7", "RANK0"};
  return macros;
}

std::string rewritten(std::string_view text) { return substitute_macros_in_json(text, values()); }

}  // namespace

BOOST_AUTO_TEST_SUITE(JsonText)

BOOST_AUTO_TEST_CASE(quoting_and_unquoting_are_inverse) {
  std::string all;
  for (int c = 0; c < 128; ++c) all.push_back(static_cast<char>(c));
  all += "é🚀";
  BOOST_TEST(json_unquote(json_quote(all)).value() == all);
  BOOST_TEST(boost::json::parse(json_quote(all)).as_string() == all);
  BOOST_TEST(json_quote("a\"\\\n\x1b") == R"("a\"\\\n\u001b")");
}

BOOST_AUTO_TEST_CASE(escapes_become_utf8) {
  BOOST_TEST(json_unquote(R"("\u0041\u00e9\u20AC\ud83d\ude80\/")").value() == "Aé€🚀/");
}

BOOST_AUTO_TEST_CASE(text_that_is_not_a_json_string_is_refused) {
  for (const char* text : {"", "\"", "a", "\"a", "a\"", "\"a\"b", "\"\\\"", "\"\\x\"", "\"\\u12\"",
                           "\"\\u12g4\"", "\"\n\"", "\"\\ud800\"", "\"\\ud800x\"",
                           "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\\ud800\\ud800\""}) {
    BOOST_TEST_INFO_SCOPE(text);
    BOOST_TEST(!json_unquote(text).has_value());
  }
}

BOOST_AUTO_TEST_CASE(macros_are_replaced_in_the_values_that_torchx_visits) {
  BOOST_TEST(rewritten(R"({"${app_id}": "${app_id}"})") == R"({"${app_id}": "app-1"})");
  BOOST_TEST(rewritten(R"({"a": {"b": {"c": "$replica_id"}}})") == R"({"a": {"b": {"c": "7"}}})");
  BOOST_TEST(rewritten(R"({"l": ["${app_id}", 3, null, true, "$$"]})") ==
             R"({"l": ["app-1", 3, null, true, "$"]})");
  BOOST_TEST(rewritten(R"({"l": [{"k": "${app_id}"}, ["${app_id}"], "${app_id}"]})") ==
             R"({"l": [{"k": "${app_id}"}, ["${app_id}"], "app-1"]})");
  BOOST_TEST(rewritten(R"("${app_id}")") == R"("${app_id}")");
}

BOOST_AUTO_TEST_CASE(values_are_escaped_and_escaped_macros_are_replaced) {
  BOOST_TEST(rewritten(R"({"a": "${img_root}"})") == R"({"a": "/img \"x\""})");
  BOOST_TEST(rewritten(R"({"a": "\u0024{app\u005fid}"})") == R"({"a": "app-1"})");
  const MacroValues special{"a\"b\\\n", "", "", "", ""};
  BOOST_TEST(substitute_macros_in_json(R"({"a":"$img_root"})", special) == R"({"a":"a\"b\\\n"})");
}

BOOST_AUTO_TEST_CASE(unchanged_parts_keep_their_bytes) {
  // The string with a lone surrogate even keeps its macro.
  const std::string text =
      R"( { "a" : [ 1.50 , -0e1 ] , "u": "\u00e9\/" , "s": "\ud800 ${app_id}", "b":{} , "c":[ ] } )";
  BOOST_TEST(rewritten(text) == text);
}

BOOST_AUTO_TEST_CASE(text_that_is_not_json_is_unchanged) {
  const std::string good =
      R"({"k": ["${app_id}", {"a": -1.5e+3}, true], "n": null, "m": {"x": "${app_id}"}})";
  BOOST_TEST(rewritten(good) != good);
  for (std::size_t i = 0; i < good.size(); ++i) {
    BOOST_TEST(rewritten(good.substr(0, i)) == good.substr(0, i));
    // Replaces one byte: the result is either the unchanged text or JSON.
    for (const char c : {'"', '\\', '{', '}', '[', ']', ',', ':', '0', 'x', ' ', '\0'}) {
      std::string bad = good;
      bad[i] = c;
      boost::json::error_code error;
      boost::json::parse(bad, error);
      const std::string result = rewritten(bad);
      if (error) {
        BOOST_TEST(result == bad);
      } else {
        boost::json::parse(result, error);
        BOOST_TEST(!error);
      }
    }
  }
  for (const char* bad : {"{\"a\":\"${app_id}\",}", "[\"${app_id}\"", "{\"a\" \"${app_id}\"}",
                          "{\"a\":\"${app_id}\"}}", "{\"a\":01,\"b\":\"${app_id}\"}",
                          "{\"a\":1.,\"b\":\"${app_id}\"}", "{\"a\":\"${app_id}\"} x"}) {
    BOOST_TEST(rewritten(bad) == bad);
  }
}

BOOST_AUTO_TEST_CASE(depth_needs_no_stack) {
  std::string deep;
  for (int i = 0; i < 1'000'000; ++i) deep += "{\"a\":";
  deep += "\"${app_id}\"" + std::string(1'000'000, '}');
  BOOST_TEST(rewritten(deep).size() == deep.size() - 4);  // app-1 instead of ${app_id}
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::sdk_test
