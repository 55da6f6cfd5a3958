#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "core/lint/macro_scan.hpp"
#include "core/lint/rules.hpp"
#include "slipway/macros.hpp"
#include "tests/unit/lint/lint_fixture.hpp"

namespace slipway::lint::test {
namespace {

/// Returns an app with one role, whose only argument is `arg`, and which also has the fields
/// `more`, which start with a comma.
std::string app_with(const std::string& arg, const std::string& more = {},
                     const std::string& entrypoint = "python3") {
  return role(R"(,"args":[")" + arg + "\"]" + more, entrypoint);
}

BOOST_AUTO_TEST_SUITE(MacroRules)

BOOST_AUTO_TEST_CASE(a_misspelt_macro_is_found_with_a_near_name) {
  for (const char* text :
       {"${replca_id}", "$replca_id", "a${app_ip}b", "${APP_ID}", "$$${app_di}", "${imgroot}"}) {
    BOOST_TEST(found(app_with(text)) == Strings{"roles[0].args[0] unknown-macro"},
               boost::test_tools::per_element());
  }
  BOOST_TEST(report_of(app_with("${replca_id}")).problems.at(0).hint ==
             "did you mean ${replica_id}?");
}

BOOST_AUTO_TEST_CASE(a_macro_that_is_not_closed_is_found) {
  BOOST_TEST(found(app_with("${app_id")) == Strings{"roles[0].args[0] unknown-macro"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(macros_and_escaped_dollars_are_accepted) {
  for (const char* text :
       {"${app_id}", "$replica_id", "$${replca_id}", "$$replca_id", "$", "$1", "${", "${}", "a$"}) {
    BOOST_TEST(found(app_with(text)) == Strings{}, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(macros_in_the_name_and_metadata_of_the_app_are_not_substituted) {
  const Strings expected = {"name macro-not-substituted", "metadata.a macro-not-substituted",
                            "metadata.b macro-not-substituted", "metadata.c macro-not-substituted"};
  const std::string json = R"({"name":"a${app_id}","metadata":{"a":"${app_id}","b":"${port.http}",)"
                           R"("c":"${role.kv.host}","d":"${HOME}"},)" +
                           role("").substr(std::string(R"({"name":"a",)").size());  // its roles
  const Strings all = found(json);
  for (const std::string& each : expected)
    BOOST_TEST((std::find(all.begin(), all.end(), each) != all.end()), each);
  BOOST_TEST((std::find(all.begin(), all.end(), "metadata.d macro-not-substituted") == all.end()));
}

BOOST_AUTO_TEST_CASE(each_name_is_reported_once_per_text) {
  BOOST_TEST(found(app_with("${replca_id} ${replca_id} ${app_ip}")).size() == 2U);
}

BOOST_AUTO_TEST_CASE(message_quotes_the_name_as_written) {
  const auto message = [](const std::string& text) {
    return report_of(app_with(text)).problems.at(0).message;
  };
  BOOST_TEST(message("a $HOME/b") == "'$HOME' is not expanded: no shell reads it");
  BOOST_TEST(message("${HOME:-/x} b") == "'${HOME:-/x}' is not expanded: no shell reads it");
  BOOST_TEST(message("${app_id") == "there is no macro '${app_id'");
}

BOOST_AUTO_TEST_CASE(variables_in_the_arguments_of_a_shell_are_accepted) {
  BOOST_TEST(found(app_with("$HOME ${HOME} $APP_ID", {}, "/bin/sh")) == Strings{},
             boost::test_tools::per_element());
  BOOST_TEST(found(app_with("app_ids=1; echo $app_ids", {}, "bash")) == Strings{},
             boost::test_tools::per_element());
  BOOST_TEST(found(app_with("$app_ids", R"(,"env":{"app_ids":"1"})", "bash")) == Strings{},
             boost::test_tools::per_element());
  BOOST_TEST(found(role(R"(,"args":["bash","-c","$HOME"])", "env")) == Strings{},
             boost::test_tools::per_element());
  BOOST_TEST(found(app_with("$replca_id", {}, "sh")) == Strings{"roles[0].args[0] unknown-macro"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(shell_variables_without_a_shell_are_found) {
  BOOST_TEST(found(app_with("$HOME/x")) == Strings{"roles[0].args[0] unexpanded-variable"},
             boost::test_tools::per_element());
  BOOST_TEST(found(app_with("${some}")) == Strings{"roles[0].args[0] unexpanded-variable"},
             boost::test_tools::per_element());
  BOOST_TEST(
      found(role(R"(,"args":["~/x","~","a~/x","~user/x"])", "~/bin/train")) ==
          (Strings{"roles[0].entrypoint unexpanded-variable",
                   "roles[0].args[0] unexpanded-variable", "roles[0].args[1] unexpanded-variable"}),
      boost::test_tools::per_element());
  BOOST_TEST(found(app_with("~/x", {}, "sh")) == Strings{}, boost::test_tools::per_element());
  // A name in lower case without braces may be part of a pattern.
  BOOST_TEST(found(app_with("^a$b|$x")) == Strings{}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(shell_variables_in_env_are_always_found) {
  BOOST_TEST(found(role(R"(,"env":{"PATH":"/opt:$PATH"})", "sh")) ==
                 Strings{"roles[0].env.PATH unexpanded-variable"},
             boost::test_tools::per_element());
  BOOST_TEST(found(role(R"(,"env":{"P":"$$PATH ${app_id}"})", "sh")) == Strings{},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(macros_in_fields_without_substitution_are_found) {
  const auto report = report_of(
      R"({"name":"a-$app_id-b","metadata":{"k":"${app_id}"},"roles":[{"name":"r","image":"i/$app_id",
    "base_image":"${app_id}","entrypoint":"${img_root}/run","env":{"A$app_id":"x"},"mounts":["type=bind,src=/$app_id,dst=/d"]}]})");
  Strings keys;
  for (const spec::Problem& problem : report.problems) {
    if (problem.rule == rule::kMacroNotSubstituted) keys.push_back(problem.key);
  }
  const Strings expected = {"name",
                            "metadata.k",
                            "roles[0].image",
                            "roles[0].base_image",
                            "roles[0].entrypoint",
                            "roles[0].env.'A$app_id'",
                            "roles[0].mounts[0]"};
  BOOST_TEST(keys == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(macros_in_run_options_of_the_app_are_found_with_their_place) {
  const auto report = report_of(
      "{\"name\":\"a\",\n\"options\":{\"local_cwd\":{\"log_dir\":\"/tmp/${app_id}\"}},\n"
      "\"roles\":[{\"name\":\"r\",\"entrypoint\":\"true\"}]}");
  BOOST_REQUIRE(report.problems.size() == 1U);
  BOOST_TEST(report.problems[0].key == "options.local_cwd.log_dir");
  BOOST_TEST(report.problems[0].rule == rule::kMacroNotSubstituted);
  BOOST_TEST(report.problems[0].where.line == 2U);
}

BOOST_AUTO_TEST_CASE(macros_in_the_directory_of_a_role_are_found) {
  BOOST_TEST(
      found(role(R"(,"cwd":"/tmp/${app_id}")")) == Strings{"roles[0].cwd macro-not-substituted"},
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(metadata_of_a_role_has_macros_but_those_with_ports_only_if_it_has_a_probe) {
  BOOST_TEST(found(role(R"(,"metadata":{"slipway.ready":{"command":["a","${port.http}"]}},)"
                        R"("port_map":{"http":80})")) == Strings{},
             boost::test_tools::per_element());
  BOOST_TEST(found(role(R"(,"metadata":{"slipway.ready":{"tcp":"http"},"k":"${port.http}"},)"
                        R"("port_map":{"http":80})")) == Strings{},
             boost::test_tools::per_element());
  BOOST_TEST(found(role(R"(,"metadata":{"k":"${app_id} $OTHER"})")) == Strings{},
             boost::test_tools::per_element());
  BOOST_TEST(found(role(R"(,"metadata":{"k":["${app_ip}"]})")) ==
                 Strings{"roles[0].metadata unknown-macro"},
             boost::test_tools::per_element());
  BOOST_TEST(found(role(R"(,"metadata":{"k":"${port.http}"},"port_map":{"http":80})")) ==
                 Strings{"roles[0].metadata macro-not-substituted"},
             boost::test_tools::per_element());
  BOOST_TEST(found(app_with("${port.http}",
                            R"(,"env":{"P":"${port.http}"},"port_map":{"http":80})")) == Strings{},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_scan_sees_what_substitution_replaces) {
  const MacroValues values{"V", "V", "V", "V", "V"};
  for (const std::string text :
       {"$app_id", "${app_id}", "$$app_id", "$$$app_id", "${app_id", "${ app_id}", "$app_id}", "$",
        "${${app_id}", "$1 ${replica_id}"}) {
    std::size_t replaced = 0;
    for (const DollarName& use : scan_dollar_names(text))
      replaced += is_macro(use.name) && use.closed ? 1 : 0;
    const std::string out = substitute_macros(text, values);
    BOOST_TEST(replaced == static_cast<std::size_t>(std::count(out.begin(), out.end(), 'V')), text);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::lint::test
