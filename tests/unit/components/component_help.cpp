#include "core/components/component_help.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>

namespace slipway::components {
namespace {

ComponentParam described(std::string name, ValueType type, std::string help, Value value = {}) {
  ComponentParam out;
  out.name = std::move(name);
  out.type = type;
  out.help = std::move(help);
  out.default_value = std::move(value);
  return out;
}

BOOST_AUTO_TEST_SUITE(component_help)

BOOST_AUTO_TEST_CASE(shows_every_fact_of_every_parameter) {
  ComponentInfo info{"my.train", "Trains.\nWell.", {}};
  info.params = {described("script", ValueType::kStr, "what"),
                 described("n", ValueType::kInt, "", 3),
                 described("env", ValueType::kDict, "", StrDict{{"A", "1"}, {"B", "2"}}),
                 described("args", ValueType::kList, "the rest")};
  info.params[0].required = true;
  info.params[0].short_name = "s";
  info.params[3].variadic = true;
  BOOST_TEST(help_text(info, "slipway run") ==
             "usage: slipway run my.train [--help] --script str [--n int] [--env dict] [[--] "
             "args...]\n"
             "\n"
             "Trains.\n"
             "Well.\n"
             "\n"
             "parameters:\n"
             "  -s, --script str          what (required)\n"
             "  -n, --n int               (default: 3)\n"
             "  --env dict                (default: A=1,B=2)\n"
             "  args...                   the rest\n");
}

BOOST_AUTO_TEST_CASE(lines_have_at_most_100_characters_and_no_word_is_lost) {
  ComponentInfo info{"c", "", {}};
  std::string help;
  for (int i = 0; i < 60; ++i) help += "word ";
  info.params = {described("a_name_that_is_longer_than_its_column", ValueType::kInt, help)};
  std::istringstream lines(help_text(info, "slipway run"));
  std::size_t words = 0;
  for (std::string line; std::getline(lines, line);) {
    BOOST_TEST(line.size() <= 100u);
    for (std::size_t at = 0; (at = line.find("word", at)) != std::string::npos; ++at) ++words;
  }
  BOOST_TEST(words == 60u);
}

BOOST_AUTO_TEST_CASE(empty_component_has_a_usage_line) {
  BOOST_TEST(help_text({"c", "", {}}, "slipway run") == "usage: slipway run c [--help]\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::components
