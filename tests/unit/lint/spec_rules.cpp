// The rules that lint names for the mistakes that reading or validating an app finds.
#include <boost/test/unit_test.hpp>
#include <set>

#include "core/lint/rules.hpp"
#include "tests/unit/lint/lint_fixture.hpp"

namespace slipway::lint::test {
namespace {

BOOST_AUTO_TEST_SUITE(SpecRules)

BOOST_AUTO_TEST_CASE(each_mistake_has_its_rule) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{", "syntax"},
      {"{}", "syntax"},
      {"[]", "syntax"},
      {R"({"name":"a","name":"b"})", "syntax"},
      {role(R"(,"nam":1)"), "unknown-key"},
      {role(R"(,"resource":{"cpus":1})"), "unknown-key"},
      {role(R"(,"resource":{"mem":"1GiB","memMB":1})"), "duplicate-field"},
      {role(R"(,"mounts":[{"type":"bind","src":"/a","src_path":"/a","dst":"/b"}])"),
       "duplicate-field"},
      {role(R"(,"overrides":{"a":1})"), "ignored-field"},
      {R"({"name":"a","roles":[]})", "missing-field"},
      {R"({"name":"a","roles":[{"name":"r"}]})", "missing-field"},
      {role(R"(,"mounts":[{"type":"bind","src":"/a"}])"), "missing-field"},
      {role(R"(,"args":[1])"), "wrong-type"},
      {role(R"(,"args":"a b")"), "wrong-type"},
      {role(R"(,"metadata":"[1]")"), "wrong-type"},
      {role(R"(,"metadata":"{")"), "wrong-value"},
      {role(R"(,"retry_policy":"NEVER")"), "wrong-value"},
      {role(R"(,"resource":{"mem":"1GB"})"), "wrong-value"},
      {role(R"(,"num_replicas":0)"), "out-of-range"},
      {role(R"(,"num_replicas":3000000000)"), "out-of-range"},
      {role(R"(,"max_retries":99999999999999999999)"), "out-of-range"},
      {role(R"(,"port_map":{"a":70000})"), "out-of-range"},
      {role(R"(,"resource":{"cpu":-2})"), "out-of-range"},
      {role(R"(,"resource":{"devices":{"a":-1}})"), "out-of-range"},
      {R"({"name":"a/b","roles":[{"name":"r","entrypoint":"e"}]})", "invalid-name"},
      {R"({"name":"a","roles":[{"name":"r","entrypoint":"e"},{"name":"r","entrypoint":"e"}]})",
       "duplicate-role"},
      {role(R"(,"env":{"A=B":"1"})"), "invalid-variable"},
      {role(R"(,"args":["a\u0000b"])"), "nul-character"},
      {role(R"(,"mounts":["src=/a"])"), "invalid-mount"},
      {role(R"(,"mounts":[{"type":"device","src":"/a","permissions":"x"}])"), "invalid-mount"},
      {role(R"(,"mounts":[{"type":"device","src":"/a","permissions":""}])"), "invalid-mount"},
      {role(R"(,"mounts":["type=bind,src=/a,dst=/b,readonly=false"])"), "mount-read-only"},
      {role(R"(,"resource":"gpu.smal")"), "unknown-resource"},
      {role(R"(,"resource":"gpu.small")"), ""},  // no mistake
  };
  for (const auto& [app, rule] : cases) {
    BOOST_TEST_INFO_SCOPE(app);
    const auto problems = report_of(app).problems;
    if (rule.empty()) {
      BOOST_TEST(problems.empty());
      continue;
    }
    BOOST_TEST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(problems[0].rule == rule);
    BOOST_TEST_REQUIRE(find_rule(rule) != nullptr);
    BOOST_TEST((problems[0].severity == find_rule(rule)->severity));
  }
}

BOOST_AUTO_TEST_CASE(broken_definition_is_not_an_unknown_name) {
  const auto broken = [](std::string_view) -> std::optional<Resource> {
    throw Error(Code::kConfig, "broken");
  };
  const auto report = lint_app_json(role(R"(,"resource":"x")"), "a", broken, {});
  BOOST_TEST_REQUIRE(report.problems.size() == 1U);
  BOOST_TEST(report.problems[0].rule == spec::rule::kBrokenResource);
}

BOOST_AUTO_TEST_CASE(unreadable_file_has_its_own_rule) {
  const auto report = lint_file("/no/such/app.toml", {}, {}, {});
  BOOST_TEST_REQUIRE(report.problems.size() == 1U);
  BOOST_TEST(report.problems[0].rule == rule::kUnreadableFile);
  BOOST_TEST(report.problems[0].where.file == "/no/such/app.toml");
  BOOST_TEST((report.problems[0].code == Code::kNotFound));
  BOOST_TEST(!report.app);
}

BOOST_AUTO_TEST_CASE(problems_come_in_the_order_of_the_file) {
  const auto problems = report_of(
                            "{\"roles\":[{\"env\":{\"A_TOKEN\":\"x\"},\n\"args\":[\"${app_ip}\",1],"
                            "\n\"name\":\"r\",\"entrypoint\":"
                            "\"e\"}],\n\"name\":\"a b\"}")
                            .problems;
  Strings rules;
  for (const spec::Problem& problem : problems) rules.emplace_back(problem.rule);
  const Strings expected = {"plain-secret", "unknown-macro", "wrong-type", "unportable-name"};
  BOOST_TEST(rules == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_table_names_each_rule_once) {
  std::set<std::string_view> names;
  for (const Rule& rule : rules()) BOOST_TEST(names.insert(rule.name).second, rule.name);
  BOOST_TEST(find_rule("no-such-rule") == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::lint::test
