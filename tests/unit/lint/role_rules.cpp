#include <boost/test/unit_test.hpp>

#include "tests/unit/lint/lint_fixture.hpp"

namespace slipway::lint::test {
namespace {

struct Case {
  std::string app;
  Strings expected;
};

void check_all(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    BOOST_TEST_INFO_SCOPE(one.app);
    BOOST_TEST(found(one.app) == one.expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE(RoleRules)

BOOST_AUTO_TEST_CASE(the_entrypoint_is_one_program) {
  check_all({{role("", "python3 main.py"), {"roles[0].entrypoint entrypoint-is-a-line"}},
             {role("", " python3"), {"roles[0].entrypoint entrypoint-is-a-line"}},
             {role("", "python3"), {}},
             {role("", "/usr/bin/env"), {}}});
}

BOOST_AUTO_TEST_CASE(secrets_in_the_file_are_found) {
  const auto env = [](const std::string& name, const std::string& value) {
    return role(",\"env\":{\"" + name + "\":\"" + value + "\"}");
  };
  check_all({{env("HF_TOKEN", "hf_abc"), {"roles[0].env.HF_TOKEN plain-secret"}},
             {env("db-password", "123456"), {"roles[0].env.db-password plain-secret"}},
             {env("DATABASE", "postgres://ada:pw@host/db"), {"roles[0].env.DATABASE plain-secret"}},
             {env("HF_TOKEN", ""), {}},
             {env("TOKENIZERS_PARALLELISM", "false"), {}},
             {env("MAX_TOKENS", "4096"), {}},
             {env("max_tokens", "4096"), {}},
             {env("GOOGLE_APPLICATION_CREDENTIALS", "/run/secrets/key.json"), {}},
             {env("API_TOKEN_FILE", "token"), {}},
             {env("api_token_file", "token"), {}},
             {env("HOME", "x"), {}},
             {env("HF_TOKEN", "<redacted>"), {"roles[0].env.HF_TOKEN redacted-value"}}});
}

BOOST_AUTO_TEST_CASE(no_message_contains_the_secret) {
  const FileReport report = report_of(role(R"(,"env":{"HF_TOKEN":"hush"})"));
  BOOST_TEST_REQUIRE(report.problems.size() == 1U);
  BOOST_TEST(to_string(report.problems[0]).find("hush") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(variables_of_slipway_are_reserved) {
  // Slipway replaces TORCHX_PARENT_RUN_ID only if the app has a parent.
  check_all(
      {{role(R"(,"env":{"TORCHX_JOB_ID":"x"})"), {"roles[0].env.TORCHX_JOB_ID reserved-variable"}},
       {role(R"(,"env":{"TORCHX_PARENT_RUN_ID":"x"})"), {}}});
}

BOOST_AUTO_TEST_CASE(image_that_is_a_path_must_exist) {
  const auto image = [](const std::string& name) { return role(",\"image\":\"" + name + "\""); };
  check_all({{image("/no/such/image"), {"roles[0].image missing-image"}},
             {image("./no-such-image"), {"roles[0].image missing-image"}},
             {image("../no-such-image"), {"roles[0].image missing-image"}},
             {image("/"), {}},
             {image("."), {}},
             {image("library/ubuntu:22.04"), {}},
             {image("docker://ubuntu"), {}},
             {image("dir:///no/such/image"), {}},
             {image(""), {}}});
}

BOOST_AUTO_TEST_CASE(destinations_of_mounts_must_be_absolute_and_unique) {
  check_all({{role(R"(,"mounts":["type=bind,src=/a,dst=data"])"),
              {"roles[0].mounts[0] mount-destination"}},
             {role(R"(,"mounts":["type=bind,src=/a,dst=/d","type=volume,src=v,dst=/d/"])"),
              {"roles[0].mounts[1] mount-destination"}},
             {role(R"(,"mounts":["type=bind,src=/a,dst=/d","type=volume,src=v,dst=/e"])"), {}}});
}

BOOST_AUTO_TEST_CASE(port_must_have_only_one_name) {
  check_all(
      {{role(R"(,"port_map":{"a":80,"b":81,"c":80})"), {"roles[0].port_map.c duplicate-port"}},
       {role(R"(,"port_map":{"a":80,"b":81})"), {}}});
}

BOOST_AUTO_TEST_CASE(several_ports_may_have_the_number_0) {
  check_all({{role(R"(,"port_map":{"a":0,"b":0})"), {}}});
}

BOOST_AUTO_TEST_CASE(a_retry_policy_needs_retries) {
  check_all(
      {{role(R"(,"retry_policy":"ROLE")"), {"roles[0].retry_policy retries-without-effect"}},
       {role(R"(,"retry_policy":"ROLE","max_retries":0)"),
        {"roles[0].retry_policy retries-without-effect"}},
       {role(R"(,"retry_policy":"ROLE","max_retries":1)"), {}},
       {role(R"(,"max_retries":1)"), {}},
       {role(R"(,"retry_policy":"ROLE","max_retries":"1")"), {"roles[0].max_retries wrong-type"}}});
}

BOOST_AUTO_TEST_CASE(min_replicas_is_less_than_num_replicas) {
  check_all(
      {{role(R"(,"num_replicas":2,"min_replicas":2)"),
        {"roles[0].min_replicas min-replicas-without-effect"}},
       {role(R"(,"num_replicas":2,"min_replicas":3)"), {"roles[0].min_replicas out-of-range"}},
       {role(R"(,"num_replicas":2,"min_replicas":1)"), {}},
       {role(R"(,"num_replicas":2,"min_replicas":null)"), {}}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::lint::test
