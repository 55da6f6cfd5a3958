#include "slipway/app.hpp"

#include <boost/test/unit_test.hpp>

#include "slipway/app_handle.hpp"
#include "slipway/app_state.hpp"
#include "slipway/scheduler_resources.hpp"

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(App)

BOOST_AUTO_TEST_CASE(a_role_starts_with_the_defaults_of_torchx) {
  const Role role("r");
  BOOST_TEST(role.entrypoint == "<MISSING>");
  BOOST_TEST(role.num_replicas == 1);
  BOOST_TEST(!role.min_replicas);
  BOOST_TEST(role.max_retries == 0);
  BOOST_TEST((role.retry_policy == RetryPolicy::kApplication));
  BOOST_TEST(role.resource.is_null());
}

BOOST_AUTO_TEST_CASE(the_fluent_form_sets_the_members) {
  Resource needs;
  needs.cpu = 4;
  const AppDef app = AppDef("train").of(Role("ps")
                                            .runs("ps.py", {"--x", "1"})
                                            .on("image")
                                            .replicas(10)
                                            .with_env("A", "1")
                                            .with_env("A", "2")
                                            .require(needs)
                                            .port("http", 80)
                                            .mount({MountKind::kBind, "/s", "/d", true, "rwm"})
                                            .retries(3, RetryPolicy::kReplica));
  BOOST_TEST(app.name == "train");
  const Role& role = app.roles.at(0);
  BOOST_TEST(role.name == "ps");
  BOOST_TEST(role.entrypoint == "ps.py");
  BOOST_TEST((role.args == StrList{"--x", "1"}));
  BOOST_TEST(role.image == "image");
  BOOST_TEST(role.num_replicas == 10);
  BOOST_TEST((role.env == StrDict{{"A", "2"}}));
  BOOST_TEST(role.resource.cpu == 4);
  BOOST_TEST(!role.resource.is_null());
  BOOST_TEST((role.port_map == IntDict{{"http", 80}}));
  BOOST_TEST(role.mounts.at(0).dst == "/d");
  BOOST_TEST(role.max_retries == 3);
  BOOST_TEST(to_string(role.retry_policy) == "REPLICA");
  BOOST_TEST(to_string(role.mounts.at(0).kind) == "bind");
}

BOOST_AUTO_TEST_CASE(scheduler_can_have_its_own_resource) {
  Resource everywhere;
  everywhere.cpu = 4;
  Resource partition;
  partition.cpu = 48;
  AppDef app("train");
  app.of(Role("ps").require(everywhere).require(partition, "slurm"));
  app.of(Role("reader").require(everywhere));

  const AppDef on_slurm = for_scheduler(app, "slurm");
  BOOST_TEST((on_slurm.roles[0].resource == partition));
  BOOST_TEST((on_slurm.roles[1].resource == everywhere));
  BOOST_TEST(on_slurm.roles[0].scheduler_resources.empty());

  const AppDef elsewhere = for_scheduler(app, "local_cwd");
  BOOST_TEST((elsewhere.roles[0].resource == everywhere));
  BOOST_TEST(elsewhere.roles[0].scheduler_resources.empty());
}

BOOST_AUTO_TEST_CASE(ports_are_added_to_existing_ports) {
  const Role role = Role("ps").port("http", 80).ports({{"http", 8080}, {"store", 1}});
  BOOST_TEST((role.port_map == IntDict{{"http", 8080}, {"store", 1}}));
}

BOOST_AUTO_TEST_CASE(resources_are_equal_by_every_field) {
  Resource a;
  Resource b;
  BOOST_TEST((a == b));
  b.tags_json = "{}";
  BOOST_TEST(!(a == b));
  BOOST_TEST(b.is_null());
}

BOOST_AUTO_TEST_CASE(states_have_names_and_numbers_in_both_directions) {
  for (std::int64_t i = 0; i < 8; ++i) {
    const auto state = app_state_from(i);
    BOOST_REQUIRE(state.has_value());
    BOOST_TEST((app_state_from(to_string(*state)) == state));
  }
  for (const std::int64_t i : {std::int64_t{-1}, std::int64_t{8}, std::int64_t{1} << 40})
    BOOST_TEST(!app_state_from(i));
  BOOST_TEST(!app_state_from("running"));
  BOOST_TEST(!app_state_from(""));
  BOOST_TEST(to_string(static_cast<AppState>(99)) == "UNKNOWN");
  BOOST_TEST(to_string(static_cast<AppState>(-1)) == "UNKNOWN");
}

BOOST_AUTO_TEST_CASE(three_states_are_terminal_and_running_is_started) {
  int terminal = 0;
  int started = 0;
  for (std::int64_t i = 0; i < 8; ++i) {
    terminal += is_terminal(*app_state_from(i)) ? 1 : 0;
    started += is_started(*app_state_from(i)) ? 1 : 0;
  }
  BOOST_TEST(terminal == 3);
  BOOST_TEST(started == 4);
  BOOST_TEST(!is_terminal(AppState::kUnknown));
}

BOOST_AUTO_TEST_CASE(handles_read_back_unchanged) {
  const AppHandle handle{"local_cwd", "sess", "app-1"};
  BOOST_TEST(to_string(handle) == "local_cwd://sess/app-1");
  BOOST_TEST((parse_app_handle(to_string(handle)) == handle));
}

BOOST_AUTO_TEST_CASE(left_parts_of_a_handle_are_greedy) {
  BOOST_TEST((parse_app_handle("a://b://c/d") == AppHandle{"a://b", "c", "d"}));
  BOOST_TEST((parse_app_handle("a:////") == AppHandle{"a", "", "/"}));
  BOOST_TEST((parse_app_handle("a://b/c/d") == AppHandle{"a", "b/c", "d"}));
  BOOST_TEST((parse_app_handle("a://b/c/") == AppHandle{"a", "b", "c/"}));
  // The last "://" leaves no app id, so the one before it separates.
  BOOST_TEST((parse_app_handle("a://b/c://") == AppHandle{"a", "b/c:", "/"}));
}

BOOST_AUTO_TEST_CASE(a_handle_ends_at_the_first_line_break) {
  BOOST_TEST((parse_app_handle("a://b/c\nd") == AppHandle{"a", "b", "c"}));
}

BOOST_AUTO_TEST_CASE(invalid_handle_is_refused_and_quoted) {
  for (const char* text : {"", "abc", "a://", "a://b", "a://b/", "a:///", "://b/c", "a:/b/c",
                           "\na://b/c", "a\n://b/c"}) {
    try {
      parse_app_handle(text);
      BOOST_ERROR(std::string("accepted: ") + text);
    } catch (const Error& error) {
      BOOST_TEST((error.code() == Code::kUsage));
      BOOST_TEST(error.message().find(text) != std::string::npos);
      BOOST_TEST(!error.hint().empty());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
