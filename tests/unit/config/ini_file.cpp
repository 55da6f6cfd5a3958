#include "core/config/ini_file.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::config {
namespace {

std::string value(const std::string& text, const char* section, const char* option) {
  const IniFile file = parse_ini(text, "f");
  return interpolated(file, *file.find(section), file.find(section)->find(option)->value);
}

std::vector<std::string> refusal(const std::string& text) {
  try {
    parse_ini(text, "f");
  } catch (const spec::InvalidApp& error) {
    BOOST_TEST((error.code() == Code::kConfig));
    std::vector<std::string> out;
    for (const spec::Problem& problem : error.problems()) out.push_back(spec::to_string(problem));
    return out;
  }
  return {};
}

BOOST_AUTO_TEST_SUITE(Ini)

BOOST_AUTO_TEST_CASE(values_continue_on_lines_with_deeper_indentation) {
  BOOST_TEST(value("[a]\nx = 1\n  2\n\n  3\n\n\ny = 4\n", "a", "x") == "1\n2\n\n3");
  BOOST_TEST(value("[a]\nx = 1\n # comment\n  2\n", "a", "x") == "1\n2");
  BOOST_TEST(value("  [a]\n  x = 1\n  y = 2\n", "a", "y") == "2");
}

BOOST_AUTO_TEST_CASE(places_are_those_of_the_options) {
  const IniFile file = parse_ini("[a]\r\n\r\n  x = 1\r\n", "f");
  BOOST_TEST((file.find("a")->find("x")->at == spec::Mark{3, 3}));
}

BOOST_AUTO_TEST_CASE(names_refer_to_the_section_and_to_the_defaults) {
  BOOST_TEST(value("[DEFAULT]\nd = 1\ne = 5\n[a]\nd = 2\nx = %(d)s-%(e)s-%%\n", "a", "x") ==
             "2-5-%");
}

BOOST_AUTO_TEST_CASE(cycles_and_unknown_names_are_refused_and_growth_is_bounded) {
  for (const std::string bad : {"%(x)s", "%(nope)s", "%", "%s", "%(x", "%()s"}) {
    BOOST_CHECK_THROW(value("[a]\nx = " + bad + "\n", "a", "x"), Error);
  }
  std::string bomb = "[a]\nx0 = " + std::string(1000, 'y') + "\n";
  for (int i = 1; i < 10; ++i) {
    bomb += "x" + std::to_string(i) + " = ";
    for (int k = 0; k < 20; ++k) bomb += "%(x" + std::to_string(i - 1) + ")s";
    bomb += "\n";
  }
  BOOST_CHECK_THROW(value(bomb, "a", "x9"), Error);
  const std::string half = "[a]\nh = " + std::string(600'000, 'y') + "\n";  // more than 1/2 MiB
  BOOST_CHECK_THROW(value(half + "x = %(h)s%(h)s\n", "a", "x"), Error);
}

BOOST_AUTO_TEST_CASE(all_problems_are_reported_with_their_places) {
  // All settings before the first section are one problem, with the place of the first of them.
  BOOST_TEST(
      (refusal("x = 1\ny = 2\n[a]\nx\nx = 1\nx = 2\n[a]\n= 3\n") ==
       std::vector<std::string>{
           "f:1:1: a setting before the first [section], write a section's name above it",
           "f:4:1: expected NAME = VALUE, found 'x'", "f:6:1: [a] already has 'x', write it once",
           "f:7:1: the section [a] already exists, write it once",
           "f:8:1: expected NAME = VALUE, found '= 3'"}));
  BOOST_TEST(refusal("[a]\nx = \xff\n").size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::config
