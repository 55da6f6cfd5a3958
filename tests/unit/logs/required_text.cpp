#include "core/logs/required_text.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "core/logs/line_filter.hpp"

namespace slipway::logs {
namespace {

/// Returns the lines that match.
std::vector<std::string> matches_in(const std::string& pattern, std::string_view text) {
  LineFilter filter(pattern);
  std::vector<std::string> out;
  std::string_view line;
  while (filter.take_match(text, line)) out.emplace_back(line);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(RequiredText)

BOOST_AUTO_TEST_CASE(is_the_plain_beginning_of_a_pattern) {
  BOOST_TEST(required_text("ERROR 1[0-9]*7\\b") == "ERROR 1");
  BOOST_TEST(required_text("plain") == "plain");
  BOOST_TEST(required_text("ab+c") == "ab");
  BOOST_TEST(required_text("a.c") == "a");
}

BOOST_AUTO_TEST_CASE(excludes_characters_that_a_quantifier_makes_optional) {
  BOOST_TEST(required_text("abc*") == "ab");
  BOOST_TEST(required_text("abc?d") == "ab");
  BOOST_TEST(required_text("abc{0,2}") == "ab");
  BOOST_TEST(required_text("a*") == "");
  BOOST_TEST(required_text("ab\\E*c") == "a");
  BOOST_TEST(required_text("ab\\Q\\E*c") == "a");
}

BOOST_AUTO_TEST_CASE(is_empty_for_a_pattern_without_a_certain_plain_beginning) {
  for (const char* const pattern :
       {"one|two", "(?i)error", "x(?=y)", "(*UCP)a", "^start", "\\d+", "[ab]c", ".*", ""}) {
    BOOST_TEST(required_text(pattern) == "", pattern);
  }
}

BOOST_AUTO_TEST_CASE(a_search_finds_the_first_place) {
  const TextSearch search("an E");
  BOOST_TEST(search.find("an e, E, an E and an E") == 9U);
  BOOST_TEST(search.find(" E") == std::string::npos);
  BOOST_TEST(search.find("E") == std::string::npos);
  BOOST_TEST(search.find("") == std::string::npos);
  BOOST_TEST(TextSearch("aab").find("aaab") == 1U);
  BOOST_TEST(TextSearch("ab").find("a") == std::string::npos);
}

// `(?:)` has no effect on the matches, but the pattern then has no required text.
BOOST_AUTO_TEST_CASE(does_not_change_the_matches) {
  const std::string text =
      "first E1\nE1 E2\n\nno\nE\xff"
      "1 E17\nlast E1";
  BOOST_TEST(matches_in("E1", text) == matches_in("(?:)E1", text),
             boost::test_tools::per_element());
  BOOST_TEST(matches_in("E1", text).size() == 4U);
  BOOST_TEST(matches_in("E1$", text).back() == "last E1");
  // A pattern may match the newline.
  BOOST_TEST(matches_in("E17\\n", text).size() == 1U);
  BOOST_TEST(matches_in("E1[^x]", "E1\nE1x\n").size() == 1U);
  BOOST_TEST(matches_in("E", "none\n").empty());
  BOOST_TEST(matches_in("ab\\E*c", "xac\nxabc\nxb\n").size() == 2U);
  BOOST_TEST(matches_in("ab\\Q\\E?c", "xac\nxabc\nxb\n").size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::logs
