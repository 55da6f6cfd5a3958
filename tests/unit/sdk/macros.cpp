#include "slipway/macros.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/json_text.hpp"
#include "slipway/role_macros.hpp"

namespace slipway {
namespace {

const MacroValues kValues{"/img", "app-1", "3", "RANK0", "DEPRECATED"};

std::string expanded(std::string_view text) { return substitute_macros(text, kValues); }

BOOST_AUTO_TEST_SUITE(Macros)

BOOST_AUTO_TEST_CASE(replaces_each_macro_with_and_without_braces) {
  BOOST_TEST(expanded("${img_root}:$img_root") == "/img:/img");
  BOOST_TEST(expanded("${app_id}/$replica_id") == "app-1/3");
  BOOST_TEST(expanded("$rank0_env ${base_img_root}") == "RANK0 DEPRECATED");
}

BOOST_AUTO_TEST_CASE(two_dollars_are_one) {
  BOOST_TEST(expanded("$$app_id") == "$app_id");
  BOOST_TEST(expanded("$$$app_id") == "$app-1");
}

BOOST_AUTO_TEST_CASE(keeps_text_that_is_not_a_macro) {
  for (const char* text : {"$", "a$", "$ x", "${", "${}", "${app_id", "${ app_id}", "$app_idx",
                           "${nope}", "$1", "${app-id}", "$App_id", "$\xC3\xA9"}) {
    BOOST_TEST(expanded(text) == text);
  }
}

BOOST_AUTO_TEST_CASE(does_not_expand_values_again) {
  const MacroValues values{"$app_id", "${replica_id}", "1", "", ""};
  BOOST_TEST(substitute_macros("$img_root $app_id", values) == "$app_id ${replica_id}");
}

BOOST_AUTO_TEST_CASE(time_is_linear_in_the_text) {
  const std::string dollars(200'000, '$');
  BOOST_TEST(expanded(dollars).size() == 100'000U);
  BOOST_TEST(expanded(std::string(100'000, '{')).size() == 100'000U);
}

BOOST_AUTO_TEST_CASE(applies_to_args_env_values_and_metadata_of_a_role_only) {
  Role role("$app_id");
  role.runs("$app_id", {"$app_id"}).on("$app_id").with_env("$app_id", "$app_id").port("$app_id", 1);
  role.metadata_json = R"({"$app_id": "$app_id"})";
  const Role applied = apply_macros(role, kValues);
  BOOST_TEST(applied.name == "$app_id");
  BOOST_TEST(applied.image == "$app_id");
  BOOST_TEST(applied.entrypoint == "$app_id");
  BOOST_TEST(applied.args.at(0) == "app-1");
  BOOST_TEST(applied.env.at(0).first == "$app_id");
  BOOST_TEST(applied.env.at(0).second == "app-1");
  BOOST_TEST(applied.port_map.at(0).first == "$app_id");
  BOOST_TEST(applied.metadata_json == R"({"$app_id": "app-1"})");
}

BOOST_AUTO_TEST_CASE(json_text_keeps_unchanged_bytes) {
  const std::string text =
      "{ \"a\" :\t1.50, \"b\": \"x\\u0041\", \"c\": [\"$app_id\", [\"$app_id\"]] }";
  BOOST_TEST(substitute_macros_in_json(text, kValues) ==
             "{ \"a\" :\t1.50, \"b\": \"x\\u0041\", \"c\": [\"app-1\", [\"$app_id\"]] }");
}

BOOST_AUTO_TEST_CASE(a_value_with_quotes_stays_json) {
  const MacroValues values{"a\"b\\\n", "", "", "", ""};
  BOOST_TEST(substitute_macros_in_json(R"({"a":"$img_root"})", values) == R"({"a":"a\"b\\\n"})");
}

BOOST_AUTO_TEST_CASE(text_that_is_not_json_is_unchanged) {
  for (const char* text : {"", "$app_id", "{\"a\":\"$app_id\"", "{\"a\":\"$app_id\"} x",
                           "[\"$app_id\",]", "{\"a\" \"$app_id\"}", "[01, {\"a\":\"$app_id\"}]"}) {
    BOOST_TEST(substitute_macros_in_json(text, kValues) == text);
  }
}

BOOST_AUTO_TEST_CASE(json_of_any_depth_is_walked_without_recursion) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "{\"a\":";
  text += "\"$app_id\"" + std::string(200'000, '}');
  BOOST_TEST(substitute_macros_in_json(text, kValues).find("\"app-1\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(json_quote_and_unquote_are_inverse) {
  const std::string text("a\"\\/\b\f\n\r\t\x01\x7f\xC3\xA9\0z", 15);
  BOOST_TEST((json_unquote(json_quote(text)) == text));
  BOOST_TEST((json_unquote("\"\\ud83d\\ude80\"") == "\xF0\x9F\x9A\x80"));
  for (const char* broken :
       {"", "\"", "a", "\"a", "\"\\x\"", "\"\\ud83d\"", "\"\\ude80\"", "\"a\"b", "\"\n\""})
    BOOST_TEST(!json_unquote(broken), broken);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
