#include "plugins/docker/request/app_rules.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>

#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

AppDef app_of(Role role) {
  AppDef out("app");
  out.of(std::move(role));
  return out;
}

bool is_supervised(Role role, const Cfg& cfg = {}) {
  return need_supervisor(rules_for(app_of(std::move(role)), cfg));
}

Role with_keys(std::string metadata) {
  Role out("w");
  out.metadata_json = std::move(metadata);
  return out;
}

Cfg option(const std::string& name, Value value) {
  Cfg out;
  out.set(name, std::move(value));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(DockerAppRules)

BOOST_AUTO_TEST_CASE(retries_that_the_engine_makes_itself_need_no_supervisor) {
  BOOST_TEST(!is_supervised(Role("w").replicas(4)));
  BOOST_TEST(!is_supervised(Role("w").replicas(4).retries(2, RetryPolicy::kReplica)));
  BOOST_TEST(!is_supervised(Role("w").retries(2)));
  BOOST_TEST(!is_supervised(Role("w"), option("retry_on", StrList{"3"})));
}

BOOST_AUTO_TEST_CASE(other_rules_need_a_supervisor) {
  BOOST_TEST(is_supervised(Role("w").replicas(2).retries(2)));
  BOOST_TEST(is_supervised(Role("w").retries(2), option("retry_on", StrList{"3"})));
  BOOST_TEST(is_supervised(Role("w").retries(2), option("backoff", StrDict{{"initial", "5"}})));
  BOOST_TEST(is_supervised(Role("w"), option("timeout_s", 5.0)));
  BOOST_TEST(is_supervised(with_keys(R"({"slipway.timeout_s":5})")));
  BOOST_TEST(is_supervised(with_keys(R"({"slipway.ready":{"tcp":80}})")));
}

BOOST_AUTO_TEST_CASE(text_has_all_rules) {
  Role role = with_keys(R"({"slipway.retry_on":["3","oom"],"slipway.ready":{"tcp":"http"}})");
  role.replicas(3).retries(2, RetryPolicy::kRole);
  role.min_replicas = 2;
  role.port_map = {{"http", 80}};
  Cfg cfg = option("backoff", StrDict{{"initial", "5"}});
  cfg.set("app_timeout_s", 7.5);
  const AppRules rules = rules_for(app_of(std::move(role)), cfg);
  const auto read = rules_in(rules.text);
  BOOST_REQUIRE(read);
  BOOST_TEST((read->life.backoff == rules.life.backoff));
  BOOST_TEST(read->life.app_timeout_ms == 7500);
  BOOST_TEST(read->roles.at(0).replicas == 3);
  BOOST_TEST((read->roles.at(0).rules == rules.roles.at(0).rules));
  BOOST_TEST(read->roles.at(0).ready.port == 80);
}

BOOST_AUTO_TEST_CASE(on_end_command_needs_a_supervisor_and_is_not_in_the_text) {
  const AppRules rules =
      rules_for(app_of(Role("w")), option("on_end", std::string("curl -H secret")));
  BOOST_TEST(need_supervisor(rules));
  BOOST_TEST(rules.life.on_end == "curl -H secret");
  BOOST_TEST(rules.text.find("secret") == std::string::npos);
  BOOST_TEST(rules_in(R"({"options":{},"app":{"name":"a","roles":[{"name":"w"}]}})").has_value());
  // Slipway writes no such text.
  BOOST_TEST(
      !rules_in(R"({"options":{"on_end":"true"},"app":{"name":"a","roles":[{"name":"w"}]}})"));
}

BOOST_AUTO_TEST_CASE(commands_of_probes_have_the_ports_of_roles) {
  Role role = with_keys(
      R"({"slipway.ready":{"command":["ask","${port.a}","${role.w.port.a}","$${port.a}"]}})");
  role.port_map = {{"a", 81}};
  const AppRules rules = rules_for(app_of(role), {});
  // `$$` stays: the helper replaces it with the macros of the replica, before it runs the command.
  BOOST_TEST((rules.roles.at(0).ready.command == StrList{"ask", "81", "81", "$${port.a}"}));
  role.port_map = {{"a", 0}};  // nothing chooses a port inside a container
  BOOST_CHECK_THROW(rules_for(app_of(role), {}), Error);
}

BOOST_AUTO_TEST_CASE(probe_of_a_named_port_needs_its_number) {
  Role role = with_keys(R"({"slipway.ready":{"tcp":"http"}})");
  role.port_map = {{"http", 80}};
  BOOST_TEST(rules_for(app_of(role), {}).roles.at(0).ready.port == 80);
  role.port_map = {{"http", 0}};
  BOOST_CHECK_EXCEPTION(rules_for(app_of(role), {}), Error, [](const Error& error) {
    return error.code() == Code::kInvalid &&
           error.message().starts_with("role w: http: the port is 0");
  });
}

BOOST_AUTO_TEST_CASE(text_of_another_form_has_no_rules) {
  for (const char* text :
       {"", "{", "[]", R"({"options":{},"app":[]})", R"({"options":{},"app":{"name":"a"}})",
        R"({"options":{},"app":{"name":"a","roles":[]}})",
        R"({"options":{"nosuch":"1"},"app":{"name":"a","roles":[{"name":"w"}]}})"})
    BOOST_TEST(!rules_in(text));
}

BOOST_AUTO_TEST_CASE(bad_values_are_refused) {
  BOOST_CHECK_THROW(rules_for(app_of(Role("w")), option("retry_on", StrList{"sometimes"})), Error);
  BOOST_CHECK_THROW(rules_for(app_of(with_keys(R"({"slipway.depends_on":{"x":"started"}})")), {}),
                    Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
