#include "sdk/support/workspace/path_patterns.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::workspaces {

namespace {

bool git_ignores(const char* text, const char* path, bool is_directory = false) {
  return PathPatterns(text, PatternStyle::kGit).ignores(path, is_directory);
}

bool docker_ignores(const char* text, const char* path) {
  return PathPatterns(text, PatternStyle::kDocker).ignores(path, /*is_directory=*/false);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(Patterns)

BOOST_AUTO_TEST_CASE(git_matches_names_in_every_directory) {
  BOOST_TEST(git_ignores("*.pyc", "a/b/c.pyc"));
  BOOST_TEST(git_ignores("build", "src/build", /*is_directory=*/true));
  BOOST_TEST(!git_ignores("build", "src/building"));
}

BOOST_AUTO_TEST_CASE(git_pattern_with_a_slash_starts_at_the_root) {
  BOOST_TEST(git_ignores("/build", "build"));
  BOOST_TEST(!git_ignores("/build", "src/build"));
  BOOST_TEST(git_ignores("doc/*.txt", "doc/a.txt"));
  BOOST_TEST(!git_ignores("doc/*.txt", "doc/deep/a.txt"));
  BOOST_TEST(!git_ignores("doc/*.txt", "src/doc/a.txt"));
}

BOOST_AUTO_TEST_CASE(git_pattern_that_ends_with_a_slash_matches_directories) {
  BOOST_TEST(git_ignores("data/", "x/data", /*is_directory=*/true));
  BOOST_TEST(!git_ignores("data/", "x/data", /*is_directory=*/false));
}

BOOST_AUTO_TEST_CASE(two_stars_match_any_number_of_directories) {
  BOOST_TEST(git_ignores("a/**/z", "a/z"));
  BOOST_TEST(git_ignores("a/**/z", "a/b/c/z"));
  BOOST_TEST(!git_ignores("a/**/z", "b/a/z"));
  BOOST_TEST(git_ignores("**/z", "b/a/z"));
  BOOST_TEST(git_ignores("a/**", "a/b"));
  BOOST_TEST(!git_ignores("a/**", "a", /*is_directory=*/true));
  BOOST_TEST(git_ignores("**/**/**/**/**/z", "a/b/c/d/z"));
}

BOOST_AUTO_TEST_CASE(last_matching_pattern_decides) {
  BOOST_TEST(!git_ignores("*.log\n!keep.log", "keep.log"));
  BOOST_TEST(git_ignores("!keep.log\n*.log", "keep.log"));
}

BOOST_AUTO_TEST_CASE(comments_and_empty_lines_match_nothing) {
  BOOST_TEST(!git_ignores("# a\n\n  \n!\n/\n", "a"));
  BOOST_TEST(git_ignores("\\#a\r\n", "#a"));
}

BOOST_AUTO_TEST_CASE(blanks_count_at_the_start_of_a_git_pattern_and_after_a_backslash) {
  BOOST_TEST(git_ignores(" a", " a"));
  BOOST_TEST(!git_ignores(" a", "a"));
  BOOST_TEST(git_ignores(" #a", " #a"));
  BOOST_TEST(git_ignores("a  \r\n", "a"));
  BOOST_TEST(git_ignores("a\\  ", "a "));
  BOOST_TEST(docker_ignores("  a  ", "a"));
  BOOST_TEST(docker_ignores(" #a", "#a"));  // only a line that starts with '#' is a comment
  BOOST_TEST(!docker_ignores("#a", "#a"));
}

BOOST_AUTO_TEST_CASE(docker_pattern_always_starts_at_the_root) {
  BOOST_TEST(docker_ignores("temp?", "tempa"));
  BOOST_TEST(!docker_ignores("temp?", "x/tempa"));
  BOOST_TEST(docker_ignores("*/temp*", "x/temporary"));
  BOOST_TEST(docker_ignores("**/*.pyc", "a/b/c.pyc"));
  BOOST_TEST(!docker_ignores("*.md\n!README.md", "README.md"));
  BOOST_TEST(docker_ignores("./a/", "a"));
  BOOST_TEST(docker_ignores("x/../a", "a"));
}

BOOST_AUTO_TEST_CASE(docker_pattern_matches_everything_below) {
  BOOST_TEST(docker_ignores("data", "data/a/b"));
  BOOST_TEST(!docker_ignores("data\n!data/a", "data/a/b"));
  BOOST_TEST(docker_ignores("data\n! data/a\ndata/a/b", "data/a/b"));
}

BOOST_AUTO_TEST_CASE(docker_stars_before_a_name_match_directories) {
  BOOST_TEST(docker_ignores("**.pyc", "a/b.pyc"));
  BOOST_TEST(docker_ignores("**.pyc", "b.pyc"));
  BOOST_TEST(!docker_ignores("**.pyc", "a/b.py"));
}

BOOST_AUTO_TEST_CASE(only_directories_that_may_have_included_files_are_entered) {
  const auto entered = [](const char* text, const char* path) {
    return PathPatterns(text, PatternStyle::kDocker).may_include_below(path);
  };
  BOOST_TEST(entered("*\n!src/lib/*.py", "src"));
  BOOST_TEST(entered("*\n!src/lib/*.py", "src/lib"));
  BOOST_TEST(!entered("*\n!src/lib/*.py", "doc"));
  BOOST_TEST(!entered("*\n!src/lib/*.py", "src/doc"));
  BOOST_TEST(entered("*\n!**/keep", "doc/deep"));
  BOOST_TEST(!entered("*", "doc"));
  BOOST_TEST(!PathPatterns("a\n!a/b", PatternStyle::kGit).may_include_below("a"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::workspaces
