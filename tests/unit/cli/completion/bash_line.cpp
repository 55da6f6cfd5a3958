#include "core/cli/completion/bash_line.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::cli {
namespace {

// Bash's default COMP_WORDBREAKS: the characters at which readline starts a new word.
constexpr std::string_view kBreaks = " \t\n\"'@><=;|&(:";

BOOST_AUTO_TEST_SUITE(BashLines)

BOOST_AUTO_TEST_CASE(words_lose_their_quotes) {
  const BashLine line = parse_bash_line("slipway run 'a b' \"c d\"e f\\ g ''  x", kBreaks);
  BOOST_TEST(line.words == (std::vector<std::string>{"run", "a b", "c de", "f g", ""}),
             boost::test_tools::per_element());
  BOOST_TEST(line.current == "x");
  BOOST_TEST(parse_bash_line("slipway run ", kBreaks).current == "");
  BOOST_TEST(parse_bash_line("", kBreaks).words.empty());
}

BOOST_AUTO_TEST_CASE(part_that_readline_keeps_is_not_repeated) {
  const auto reply = [](std::string_view text, std::string_view word) {
    return bash_reply(parse_bash_line(text, kBreaks), word);
  };
  BOOST_TEST(reply("slipway status local_cwd://s/a", "local_cwd://s/app") == "//s/app");
  BOOST_TEST(reply("slipway run -c a=b,c", "a=b,cd=") == "b,cd=");
  BOOST_TEST(reply("slipway status @la", "@last") == "@last");
  BOOST_TEST(reply("slipway status 'local_cwd://s/a", "local_cwd://s/app") == "local_cwd://s/app");
  BOOST_TEST(reply("slipway --config='x", "--config=x y") == "x y");
  BOOST_TEST(reply("slipway run a\\:b", "a:bc") == "a:bc");
}

BOOST_AUTO_TEST_CASE(replies_are_quoted_as_the_word_is) {
  const auto reply = [](std::string_view text) {
    return bash_reply(parse_bash_line(text, kBreaks), "a $b\"c");
  };
  BOOST_TEST(reply("slipway run a") == "a\\ \\$b\\\"c");
  BOOST_TEST(reply("slipway run \"a") == "a \\$b\\\"c");
  BOOST_TEST(reply("slipway run 'a") == "a $b\"c");
  BOOST_TEST(bash_reply(parse_bash_line("slipway run 'it", kBreaks), "it's") == "it'\\''s");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
