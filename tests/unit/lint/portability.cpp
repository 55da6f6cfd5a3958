#include "core/lint/portability.hpp"

#include <boost/test/unit_test.hpp>

#include "core/lint/rules.hpp"
#include "tests/unit/lint/lint_fixture.hpp"

namespace slipway::lint::test {
namespace {

const std::string kTwoRoles =
    "{\"name\":\"a\",\"roles\":[{\"name\":\"r\",\"entrypoint\":\"e\"},\n{\"name\":\"s\","
    "\"entrypoint\":\"e\",\n"
    "\"max_retries\":1,\n\"resource\":{\"cpu\":1,\n\"gpu\":1}}]}";

std::vector<spec::Problem> problems_of(const Finding& finding) {
  const FileReport report = report_of(kTwoRoles);
  BOOST_TEST_REQUIRE(report.app.has_value());
  std::vector<spec::Problem> out;
  add_findings(*report.app, "sched", {finding}, out);
  return out;
}

BOOST_AUTO_TEST_SUITE(Portability)

BOOST_AUTO_TEST_CASE(finding_has_the_place_of_its_field) {
  const std::vector<std::pair<std::string, std::uint32_t>> lines = {
      {"max_retries", 3},    {"resource", 4}, {"resource.gpu", 5},
      {"resource.memMB", 4}, {"mounts", 2},   {"", 2}};
  for (const auto& [field, line] : lines) {
    const auto problems = problems_of({Finding::Kind::kIgnored, "s", field, "why"});
    BOOST_TEST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(problems[0].where.line == line, field);
    BOOST_TEST(problems[0].rule == rule::kIgnoredByScheduler);
    BOOST_TEST((problems[0].severity == spec::Severity::kWarning));
    BOOST_TEST(problems[0].message == "sched ignores this: why");
  }
}

BOOST_AUTO_TEST_CASE(refused_field_is_an_error) {
  const auto problems = problems_of({Finding::Kind::kRefused, "s", "resource.gpu", "why"});
  BOOST_TEST(problems.at(0).key == "roles[1].resource.gpu");
  BOOST_TEST(problems.at(0).rule == rule::kRefusedByScheduler);
  BOOST_TEST((problems.at(0).severity == spec::Severity::kError));
}

BOOST_AUTO_TEST_CASE(finding_without_a_role_has_the_start_of_the_file) {
  const auto problems = problems_of({Finding::Kind::kIgnored, "", "resource.gpu", "why"});
  BOOST_TEST(problems.at(0).where.line == 1U);
  BOOST_TEST(problems.at(0).key == "resource.gpu");
}

BOOST_AUTO_TEST_CASE(refusals_of_two_schedulers_are_both_reported) {
  const FileReport report = report_of(kTwoRoles);
  std::vector<spec::Problem> out;
  add_refusal(*report.app, "one", Error(Code::kInvalid, "no", "hint"), out);
  add_refusal(*report.app, "two", Error(Code::kInvalid, "never"), out);
  BOOST_TEST_REQUIRE(out.size() == 2U);
  BOOST_TEST(out[0].message == "one refuses the app: no");
  BOOST_TEST(out[0].hint == "hint");
  BOOST_TEST(out[1].message == "two refuses the app: never");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::lint::test
