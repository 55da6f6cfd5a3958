#include "core/lint/component_rules.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/unit/lint/lint_fixture.hpp"
#include "tests/unit/spec/temporary_directory.hpp"

namespace slipway::lint::test {
namespace {

/// Returns `key rule` of each problem of a component file, or of one of its components.
Strings found_in(const std::string& toml, const std::string& component = {}) {
  const spec::test::TemporaryDirectory directory;
  Strings out;
  for (const spec::Problem& problem :
       lint_file(directory.file("c.toml", toml), component, {}, {}).problems)
    out.push_back(problem.key + ' ' + std::string(problem.rule));
  return out;
}

const std::string kApp =
    "app = { name = \"a\", roles = [{ name = \"r\", entrypoint = \"e\", args = [\"{{x}}\"] }] }\n";
const std::string kGood =
    "[component.good]\nhelp = \"runs\"\nparams.x = { help = \"it\" }\n" + kApp;
const std::string kBad =
    "[component.bad]\nparams.x = { type = \"int\", default = \"1\" }\nparams.y = { help = \"it\" "
    "}\n" +
    kApp;
const Strings kProblemsOfBad = {
    "component.bad undocumented-component", "component.bad.params.x undocumented-parameter",
    "component.bad.params.x.default wrong-type", "component.bad.params.y unused-parameter"};

BOOST_AUTO_TEST_SUITE(ComponentRules)

BOOST_AUTO_TEST_CASE(help_types_and_uses_are_checked_in_the_order_of_the_file) {
  BOOST_TEST(found_in(kGood) == Strings{}, boost::test_tools::per_element());
  BOOST_TEST(found_in(kGood + kBad) == kProblemsOfBad, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(errors_beyond_the_limit_still_stop_the_expansion_of_a_component) {
  std::string text = "[component.a]\n";
  for (int i = 0; i < 1100; ++i)  // a list has at most 1000 problems
    text += "no_such_" + std::to_string(i) + " = 1\n";
  const Strings found =
      found_in(text + "[component.b.app]\nname = \"{{'x' | foo}}\"\nroles = []\n");
  BOOST_TEST(found.size() == 1000U);
}

BOOST_AUTO_TEST_CASE(a_template_of_a_dict_alone_is_accepted) {
  BOOST_TEST(
      found_in("[component.c]\nhelp = \"runs\"\nparams.d = { type = \"dict\", help = \"it\" }\n"
               "app = { \"...\" = \"{{d}}\" }\n") == Strings{},
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_component_can_be_selected) {
  BOOST_TEST(found_in(kGood + kBad, "good") == Strings{}, boost::test_tools::per_element());
  BOOST_TEST(found_in(kGood + kBad, "bad") == kProblemsOfBad, boost::test_tools::per_element());
  BOOST_TEST(found_in(kGood, "godo") == Strings{" unknown-component"},
             boost::test_tools::per_element());
  BOOST_TEST(found_in("name = \"a\"\n", "x") == Strings{" unknown-component"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_component_file_without_components_is_not_called_an_app_file) {
  BOOST_TEST(found_in("[component]\n", "x") == Strings{"component wrong-value"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(problems_of_other_components_do_not_use_up_the_limit) {
  std::string text;
  for (int i = 0; i < 1100; ++i)  // a list has at most 1000 problems
    text += "[component.c" + std::to_string(i) + "]\nno_such = 1\n" + kApp;
  const spec::test::TemporaryDirectory directory;
  const FileReport report = lint_file(directory.file("c.toml", text + kBad), "bad", {}, {});
  BOOST_TEST(report.problems.size() == kProblemsOfBad.size());
  BOOST_TEST(report.omitted == 0U);
}

BOOST_AUTO_TEST_CASE(an_app_with_too_much_text_is_a_problem_of_its_component) {
  std::string args;
  for (int i = 0; i < 65; ++i) args += "\"{{x}}\", ";  // the limit is 64 MiB
  const std::string text =
      "[component.c]\nhelp = \"runs\"\nparams.x = { help = \"it\", default = \"" +
      std::string(std::size_t{1} << 20, 'x') +
      "\" }\napp = { name = \"a\", roles = [{ name = \"r\", "
      "entrypoint = \"e\", args = [" +
      args + "] }] }\n";
  BOOST_TEST(found_in(text) == Strings{"component.c.app wrong-value"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_unknown_parameter_of_the_template_is_found) {
  const std::string text = "[component.c]\nhelp = \"runs\"\nparams.z = { help = \"it\" }\n" + kApp;
  const Strings expected = {"component.c.params.z unused-parameter",
                            "component.c.app.roles[0].args[0] invalid-template"};
  BOOST_TEST(found_in(text) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::lint::test
