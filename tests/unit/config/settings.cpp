#include "core/config/settings.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "core/config/config_template.hpp"
#include "core/config/run_option_settings.hpp"
#include "core/spec/document.hpp"
#include "tests/unit/config/config_fixture.hpp"

namespace slipway::config::test {
namespace {

const RunOpts kDeclared = {{"name", ValueType::kStr, "a\n  name", true, {}},
                           {"count", ValueType::kInt, "how many", false, std::int64_t{3}},
                           {"ratio", ValueType::kFloat, "r", false, 0.5},
                           {"quick", ValueType::kBool, "q", false, true},
                           {"paths", ValueType::kList, "p", false, {}},
                           {"env", ValueType::kDict, "e", false, StrDict{{"a b", "c"}}}};

struct Typed {
  Dict<Value> values;
  std::vector<std::string> problems;
};

/// Returns the run options of the scheduler `s` that the configuration file `text` sets, with the
/// types of kDeclared.
Typed typed(const std::string& text, const std::string& file = "project/slipway.toml") {
  ConfigFixture fixture;
  fixture.file(file, text);
  const Loaded loaded = fixture.loaded();
  loaded.throw_if_errors();
  std::vector<spec::Problem> problems;
  Typed out;
  for (RunOptionSetting& option : run_option_settings(loaded.settings, "s", kDeclared, problems))
    set(out.values, option.from->key.option, std::move(option.value));
  for (spec::Problem& problem : problems) {
    problem.where.file = "f";
    out.problems.push_back(spec::to_string(problem));
  }
  return out;
}

BOOST_AUTO_TEST_SUITE(SettingsOfSchedulersAndComponents)

BOOST_AUTO_TEST_CASE(run_options_get_the_declared_types) {
  const Typed found = typed(
      "[scheduler.s]\nname = 'n'\ncount = 5\nratio = 2\nquick = false\npaths = ['a', 'b,c']\n"
      "env = { K = 'v' }\n[scheduler.other]\ncount = 'not ours'\n");
  BOOST_TEST(found.problems.empty());
  BOOST_TEST((found.values == Dict<Value>{{"name", Value(std::string("n"))},
                                          {"count", Value(std::int64_t{5})},
                                          {"ratio", Value(2.0)},
                                          {"quick", Value(false)},
                                          {"paths", Value(StrList{"a", "b,c"})},
                                          {"env", Value(StrDict{{"K", "v"}})}}));
}

BOOST_AUTO_TEST_CASE(wrong_types_are_reported_at_once_with_their_places) {
  const Typed found = typed(
      "[scheduler.s]\nname = 1\ncount = '5'\nratio = true\nquick = 'yes'\npaths = [1]\n"
      "env = { K = 1 }\n");
  const std::vector<std::string>& problems = found.problems;
  const std::vector<std::string> expected = {
      "f:2:1: scheduler.s.name: expected a string, found the integer 1",
      "f:3:1: scheduler.s.count: expected an integer, found the string '5'",
      "f:4:1: scheduler.s.ratio: expected a number, found the boolean true",
      "f:5:1: scheduler.s.quick: expected true or false, found the string 'yes'",
      "f:6:1: scheduler.s.paths: expected a list of strings, found one with "
      "values of another type, write each value in quotes",
      "f:7:1: scheduler.s.env: expected a table of strings, found one with "
      "values of another type, write each value in quotes"};
  BOOST_TEST(problems == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_unknown_run_option_is_a_warning_with_a_near_name) {
  for (const auto& [text, file] : {std::pair("[scheduler.s]\ncuont = 1\n", "project/slipway.toml"),
                                   std::pair("[s]\ncuont = 1\n", "home/.torchxconfig")}) {
    const Typed found = typed(text, file);
    BOOST_TEST(found.values.empty());
    BOOST_REQUIRE_EQUAL(found.problems.size(), 1u);
    BOOST_TEST(found.problems.front() ==
               "f:2:1: warning: scheduler.s.cuont: the scheduler does not know this run option, "
               "which is ignored, did you mean count?");
  }
}

BOOST_AUTO_TEST_CASE(unknown_default_of_a_torchxconfig_is_ignored_without_a_warning) {
  const Typed found = typed("[DEFAULT]\nwhatever = 1\ncount = 7\n[s]\n", "home/.torchxconfig");
  BOOST_TEST(found.problems.empty());
  BOOST_TEST((found.values == Dict<Value>{{"count", Value(std::int64_t{7})}}));
}

BOOST_AUTO_TEST_CASE(numbers_of_a_torchxconfig_have_pythons_forms) {
  const Typed found = typed("[s]\ncount = 1_000\nratio = +1e400\n", "home/.torchxconfig");
  BOOST_TEST(found.problems.empty());
  BOOST_TEST(
      (found.values == Dict<Value>{{"count", Value(std::int64_t{1000})},
                                   {"ratio", Value(std::numeric_limits<double>::infinity())}}));
  for (const char* text : {"count = +-5", "count = 1__0", "ratio = nan(1)"})
    BOOST_TEST(typed(std::string("[s]\n") + text, "home/.torchxconfig").problems.size() == 1u,
               text);
}

BOOST_AUTO_TEST_CASE(broken_interpolation_fails_only_where_it_is_used) {
  BOOST_TEST(typed("[other]\nx = 100%\n[s]\ncount = 1\n", "home/.torchxconfig").problems.empty());
  const Typed found = typed("[s]\nname = 100%\n", "home/.torchxconfig");
  BOOST_REQUIRE_EQUAL(found.problems.size(), 1u);
  BOOST_TEST(found.problems.front().rfind("f:2:1: scheduler.s.name: ", 0) == 0u);
}

BOOST_AUTO_TEST_CASE(component_defaults_of_all_layers_become_texts_lists_and_dicts) {
  ConfigFixture fixture;
  fixture.file("xdg/slipway/config.toml", "[component.c]\nlow = 'user'\nboth = 'user'\n");
  fixture.file("project/slipway.toml",
               "[cli.run]\ncomponent = 'c'\n[component.c]\nboth = 'project'\nn = 3\nb = true\n"
               "r = 1.5\nl = ['a', 'b,c']\nd = { k = 'v;w', m = 2 }\n");
  const Settings settings = fixture.loaded().settings;
  BOOST_TEST(
      (settings.component_defaults("c") == Dict<Value>{{"low", "user"},
                                                       {"both", "project"},
                                                       {"n", "3"},
                                                       {"b", "true"},
                                                       {"r", "1.5"},
                                                       {"l", StrList{"a", "b,c"}},
                                                       {"d", StrDict{{"k", "v;w"}, {"m", "2"}}}}));
  BOOST_TEST(settings.component_defaults("other").empty());
  BOOST_TEST(settings.default_component() == "c");
  BOOST_TEST(Settings().default_component().empty());
}

BOOST_AUTO_TEST_CASE(component_default_of_a_type_that_no_parameter_has_is_refused) {
  ConfigFixture fixture;
  fixture.file("project/slipway.toml", "[component.c]\nl = [['a']]\nt = 2020-01-01\n");
  const Settings settings = fixture.loaded().settings;
  try {
    settings.component_defaults("c");
    BOOST_FAIL("accepted");
  } catch (const spec::InvalidApp& error) {
    BOOST_TEST((error.code() == Code::kConfig));
    BOOST_TEST(error.problems().size() == 2u);
  }
}

BOOST_AUTO_TEST_CASE(unknown_profile_is_reported_with_a_near_name) {
  ConfigFixture fixture;
  fixture.file("project/slipway.toml", "[profile.gpu]\n[cli]\nprofile = 'gpuu'\n");
  BOOST_REQUIRE_EQUAL(fixture.loaded().problems.size(), 1u);
  BOOST_TEST(fixture.loaded().problems.front().hint == "did you mean gpu?");
  BOOST_TEST((fixture.loaded().problems.front().code == Code::kConfig));
  fixture.variables["SLIPWAY_PROFILE"] = "gup";
  BOOST_TEST((fixture.loaded().problems.front().code == Code::kNotFound));
  fixture.variables["SLIPWAY_PROFILE"] = "gpu";  // its table is empty, but exists
  BOOST_TEST(fixture.loaded().problems.empty());
}

BOOST_AUTO_TEST_CASE(the_template_is_valid_and_sets_nothing_until_lines_are_uncommented) {
  const std::string text =
      config_template({{{Section::kCli, "", "session"}, "The session.\nOf apps.", Value("s")},
                       {{Section::kCli, "run", "wait"}, "Wait", Value(false)},
                       {{Section::kCli, "plugin.list", "x"}, "", Value()}},
                      {{"s", kDeclared}, {"dotted.name", {}}});
  std::vector<spec::Problem> problems;
  BOOST_TEST(read_config(text, "t", Layer::kProject, problems).settings.empty());
  BOOST_TEST(problems.empty());
  BOOST_TEST(text.find("# name =") < text.find("# count = 3"));  // required ones first
  BOOST_TEST(text.find("# (str, required)\n# name =\n") != std::string::npos);
  BOOST_TEST(
      text.find("\n[cli]\n\n# The session.\n# Of apps.\n# session = \"s\"\n\n[cli.run]\n\n# Wait\n"
                "# wait = false\n\n[cli.plugin.list]\n\n# x =\n") != std::string::npos);
  BOOST_TEST(text.ends_with("\n[scheduler.\"dotted.name\"]\n"));

  std::string set = text;
  for (const char* line : {"# count =", "# ratio =", "# quick =", "# env ="})
    set.erase(set.find(line), 2);
  const Typed found = typed(set);
  BOOST_TEST(found.problems.empty());
  BOOST_REQUIRE_EQUAL(found.values.size(), 4u);
  BOOST_TEST((*find(found.values, "count") == Value(std::int64_t{3})));
  BOOST_TEST((*find(found.values, "env") == Value(StrDict{{"a b", "c"}})));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::config::test
