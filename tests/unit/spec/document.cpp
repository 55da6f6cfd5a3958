#include "core/spec/document.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>

namespace slipway::spec::test {
namespace {

std::string repeated(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

std::string toml_error(const std::string& text) {
  try {
    parse_toml(text, "t");
  } catch (const InvalidApp& error) {
    return error.what();
  }
  return "fine";
}

std::string json_error(const std::string& text) {
  try {
    parse_json(text, "j");
  } catch (const InvalidApp& error) {
    return error.what();
  }
  return "fine";
}

std::string as_json(const Node& node) {
  std::string out;
  append_json(node, out);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(Document)

BOOST_AUTO_TEST_CASE(every_kind_of_deep_toml_is_refused) {
  const int deep = 100'000;
  const std::string message = "nested too deeply, at most 64 levels";
  BOOST_TEST(toml_error("a = " + repeated("[", deep)) == "t:1:69: " + message);
  BOOST_TEST(toml_error("a = " + repeated("[", deep) + repeated("]", deep)) ==
             "t:1:69: " + message);
  BOOST_TEST(toml_error("a = " + repeated("{ b = ", deep)).ends_with(message));
  BOOST_TEST(toml_error(repeated("a.", deep) + "a = 1").ends_with(message));
  BOOST_TEST(toml_error(repeated("\"a\" . ", deep) + "a = 1").ends_with(message));
  BOOST_TEST(toml_error("[" + repeated("a.", deep) + "a]").ends_with(message));
  // Neither the inline tables nor the dotted keys alone are too deep.
  BOOST_TEST(toml_error("a = " + repeated("{ " + repeated("b.", 60) + "b = ", 60) + "1" +
                        repeated("}", 60))
                 .ends_with(message));
}

BOOST_AUTO_TEST_CASE(brackets_and_dots_in_strings_and_comments_do_not_nest) {
  const std::string brackets = repeated("[{.", 100);
  BOOST_TEST(toml_error("a = \"" + brackets + "\\\"" + brackets + "\"") == "fine");
  BOOST_TEST(toml_error("a = '" + brackets + "\"'") == "fine");
  BOOST_TEST(toml_error("a = \"\"\"\n" + brackets + "\"\"" + brackets + "\"\"\"\"\"") == "fine");
  BOOST_TEST(toml_error("a = '''\n" + brackets + "''" + brackets + "'''") == "fine");
  BOOST_TEST(toml_error("a = \"\" # " + brackets + "\nb = '' # '") == "fine");
  BOOST_TEST(toml_error("a = [" + repeated("1.5,\n", 1000) + "]") == "fine");
  BOOST_TEST(toml_error("a = '''x''''' # " + brackets) == "fine");
}

BOOST_AUTO_TEST_CASE(failed_assertion_of_toml_plus_plus_is_an_error) {
  BOOST_TEST(toml_error("b = 1\na = [}") ==
             "t:2:6: not valid TOML: a closing bracket that does not match");
  BOOST_TEST(toml_error("a = [1, }]") ==
             "t:1:9: not valid TOML: a closing bracket that does not match");
  BOOST_TEST(toml_error("a = }").find("not valid TOML") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(sixty_four_levels_are_accepted) {
  BOOST_TEST(toml_error("a = " + repeated("[", 64) + repeated("]", 64)) == "fine");
  BOOST_TEST(json_error(repeated("[", 64) + repeated("]", 64)) == "fine");
}

BOOST_AUTO_TEST_CASE(deep_json_is_refused) {
  BOOST_TEST(json_error(repeated("[", 100'000)) == "j:1:65: nested too deeply, at most 64 levels");
  BOOST_TEST(
      json_error(repeated("{\"a\":", 100'000)).ends_with("nested too deeply, at most 64 levels"));
}

BOOST_AUTO_TEST_CASE(hundred_thousand_keys_take_linear_time) {
  // With quadratic time, the test would exceed its time limit.
  std::string text = "{";
  for (int i = 0; i < 100'000; ++i) text += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":0";
  BOOST_TEST(parse_json(text + "}", "j").entries.size() == 100'000);
  BOOST_TEST(json_error(text + ",\"k7\":1}").ends_with("the key 'k7' appears twice in one table"));
}

BOOST_AUTO_TEST_CASE(json_values_know_their_places) {
  const Node root =
      parse_json("{\n  \"é\\\"\": [1, \"two\",\n true, null , {}],\n \"x\" : -1.5e3}", "j");
  BOOST_REQUIRE(root.entries.size() == 2);
  BOOST_TEST((root.entries[0].key_at == Mark{2, 3}));
  BOOST_TEST(root.entries[0].key == "é\"");
  const Node& list = root.entries[0].value;
  BOOST_TEST((list.at == Mark{2, 10}));
  BOOST_TEST((list.items.at(1).at == Mark{2, 14}));
  BOOST_TEST((list.items.at(2).at == Mark{3, 2}));
  BOOST_TEST((list.items.at(3).at == Mark{3, 8}));
  BOOST_TEST((list.items.at(4).at == Mark{3, 15}));
  BOOST_TEST((root.entries[1].value.at == Mark{4, 8}));
  BOOST_TEST(root.entries[1].value.real == -1500.0);
}

BOOST_AUTO_TEST_CASE(json_strings_are_decoded) {
  BOOST_TEST(parse_json(R"("a\u0041\ud83d\ude80\n\u0000")", "j").text == std::string("aA🚀\n\0", 8));
  BOOST_TEST(json_error(R"("\ud83d")").find("not valid JSON") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(numbers_keep_their_value) {
  for (const char* number : {"0", "-1", "9223372036854775807", "-9223372036854775808",
                             "18446744073709551615", "123456789012345678901234567890", "0.1", "1.0",
                             "2.2250738585072014e-308", "0.30000000000000004", "1e+300"}) {
    BOOST_TEST(as_json(parse_json(number, "j")) == number);
  }
  BOOST_TEST((parse_json("9223372036854775808", "j").type == NodeType::kBigInt));
  BOOST_TEST((parse_json("1e5", "j").type == NodeType::kFloat));
  BOOST_TEST(parse_toml("a = 0.1\n", "t").entries[0].value.real == 0.1);
}

BOOST_AUTO_TEST_CASE(json_number_beyond_double_becomes_zero_or_infinite) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  BOOST_TEST(parse_json("1e-400", "j").real == 0.0);
  BOOST_TEST(parse_json("1e400", "j").real == kInfinity);
  BOOST_TEST(parse_json("-1e400", "j").real == -kInfinity);
}

BOOST_AUTO_TEST_CASE(message_shows_that_a_long_number_goes_on) {
  const std::string digits = "1234567890123456789012345678901234567890";
  BOOST_TEST(describe(parse_json(digits, "j")) == "the integer " + digits);
  BOOST_TEST(describe(parse_json(digits + "1", "j")) == "the integer " + digits + "…");
}

BOOST_AUTO_TEST_CASE(toml_keeps_the_order_of_the_text) {
  const Node root = parse_toml(
      "z.b = 1\na = 2\nz.a = 3\n[y]\nc = 1\n[x.q]\n[x]\nd = 2\n[[w]]\nb = 1\n[[w]]\na = 2\n", "t");
  BOOST_TEST(as_json(root) ==
             R"({"z":{"b":1,"a":3},"a":2,"y":{"c":1},"x":{"q":{},"d":2},"w":[{"b":1},{"a":2}]})");
}

BOOST_AUTO_TEST_CASE(toml_dates_become_text) {
  BOOST_TEST(as_json(parse_toml("a = 2024-05-06T07:08:09Z\nb = 07:08:09\n", "t")) ==
             R"({"a":"2024-05-06T07:08:09Z","b":"07:08:09"})");
}

BOOST_AUTO_TEST_CASE(broken_utf8_is_found_at_its_place) {
  for (const char* bytes :
       {"\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "\xe2\x82", "\x80"}) {
    BOOST_TEST(toml_error("# 12345678901234567890\n# é" + std::string(bytes)) ==
               "t:2:4: not UTF-8, save the file as UTF-8");
  }
}

BOOST_AUTO_TEST_CASE(every_prefix_of_a_document_is_refused_or_read) {
  const std::string json =
      R"({"name": "a\u0041\\", "roles": [{"x": [1, 2.5e1, true, null, "\""]}]})";
  const std::string toml =
      "name = \"a\"\n[[roles]]\nx = [ 1, 2.5e1, '''a''', \"\"\"b\\\"\"\"\" ]\ny.\"z\" = { a = 1 } "
      "# c\n";
  for (std::size_t i = 0; i < json.size(); ++i) BOOST_TEST(json_error(json.substr(0, i)) != "fine");
  // Some of these prefixes are valid; none may crash the parser.
  for (std::size_t i = 0; i < toml.size(); ++i) toml_error(toml.substr(0, i));
  BOOST_TEST(json_error(json) == "fine");
  BOOST_TEST(toml_error(toml) == "fine");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::spec::test
