#include "slipway/ignore_rules.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(IgnoreRulesSuite)

BOOST_AUTO_TEST_CASE(no_rules_ignore_nothing) {
  const IgnoreRules rules("");
  BOOST_TEST(!rules.ignores("a"));
  BOOST_TEST(!rules.ignores(""));
}

BOOST_AUTO_TEST_CASE(a_star_crosses_slashes) {
  const IgnoreRules rules("*.pyc\n");
  BOOST_TEST(rules.ignores("a.pyc"));
  BOOST_TEST(rules.ignores("x/y/a.pyc"));
  BOOST_TEST(!rules.ignores("a.py"));
}

BOOST_AUTO_TEST_CASE(a_question_mark_and_brackets_stand_for_a_character_of_utf_8) {
  const IgnoreRules rules("?.txt\n[äü].md\n");
  for (const char* name : {"a.txt", "ü.txt", "中.txt", "ü.md"})
    BOOST_TEST(rules.ignores(name), name);
  for (const char* name : {"ab.txt", "üü.txt", "ö.md"}) BOOST_TEST(!rules.ignores(name), name);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_not_utf_8_is_matched_by_bytes) {
  const IgnoreRules rules("*.pyc\n?.txt\n");
  BOOST_TEST(rules.ignores("x\xff.pyc"));
  BOOST_TEST(rules.ignores("\xff.txt"));
  BOOST_TEST(!rules.ignores("x\xff.py"));
}

BOOST_AUTO_TEST_CASE(directory_rule_applies_to_everything_below) {
  const IgnoreRules rules("build\n");
  BOOST_TEST(rules.ignores("build"));
  BOOST_TEST(rules.ignores("build/x/y"));
  BOOST_TEST(!rules.ignores("src/build"));
  BOOST_TEST(!rules.ignores("builds"));
}

BOOST_AUTO_TEST_CASE(slash_at_the_end_of_a_pattern_does_not_count) {
  const IgnoreRules rules("build/\n/\n");
  BOOST_TEST(rules.ignores("build"));
  BOOST_TEST(rules.ignores("build/x"));
  BOOST_TEST(!rules.ignores("a"));
}

BOOST_AUTO_TEST_CASE(the_last_rule_that_matches_decides) {
  const IgnoreRules rules("*.log\n!keep.log\n");
  BOOST_TEST(rules.ignores("a.log"));
  BOOST_TEST(!rules.ignores("keep.log"));
  BOOST_TEST(IgnoreRules("!keep.log\n*.log").ignores("keep.log"));
}

BOOST_AUTO_TEST_CASE(comments_blanks_and_empty_lines_do_not_count) {
  const IgnoreRules rules("# all\n\n   \n  a.txt  # why\r\n!\n");
  BOOST_TEST(rules.ignores("a.txt"));
  BOOST_TEST(!rules.ignores("# all"));
  BOOST_TEST(!rules.ignores("b.txt"));
}

BOOST_AUTO_TEST_CASE(the_last_line_needs_no_newline) { BOOST_TEST(IgnoreRules("a").ignores("a")); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
