#include "plugins/docker/supervisor/decision.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugins/docker/request/container_plan.hpp"
#include "plugins/docker/state/app_description.hpp"
#include "tests/unit/time_ratio.hpp"

namespace slipway::docker {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

/// An app whose time stands still at 100 s.
struct World {
  AppDef app{"app"};
  Cfg cfg;
  std::vector<Container> containers;
  std::optional<AppRules> rules;
  bool is_cancelled = false;
  std::optional<std::int64_t> since_first_probe_ns;  ///< none: since the start of each container

  World() { cfg.set("backoff", StrDict{{"initial", "10"}, {"jitter", "0"}}); }

  Role& role(const std::string& name, std::int32_t replicas = 1) {
    app.roles.emplace_back(name);
    app.roles.back().num_replicas = replicas;
    return app.roles.back();
  }

  /// Adds an attempt. Unless it is only created, it started at 10 s; if it has exited, it ended at
  /// 95 s. `round` has the numbers of restarts of the app and of the role before the attempt.
  Container& add(const std::string& role, std::int32_t replica, const std::string& status,
                 int code = 0, Round round = {}, int attempt = 1) {
    Container one;
    one.id = role + std::to_string(replica) + "-" + std::to_string(attempt);
    one.name = one.id;
    one.status = status;
    one.labels = {{kAppIdLabel, "app-x"},
                  {kRoleLabel, role},
                  {kReplicaLabel, std::to_string(replica)},
                  {kIndexLabel, std::to_string(containers.size())},
                  {kAttemptLabel, std::to_string(attempt)},
                  {kAppRestartsLabel, std::to_string(round.app_restarts)},
                  {kRoleRestartsLabel, std::to_string(round.role_restarts)}};
    if (status != "created") one.started_at = 10 * kSecondNs;
    if (status == "exited") one.exit_code = code;
    if (status == "exited") one.finished_at = 95 * kSecondNs;
    containers.push_back(std::move(one));
    return containers.back();
  }

  AppProgress progress() {
    rules = rules_for(app, cfg);
    return {rules, containers};
  }

  Decision decide() {
    const AppProgress now = progress();
    Observed observed;
    observed.age = [](const Container&, std::int64_t since) { return 100 * kSecondNs - since; };
    observed.is_ready = [](const Container&) { return false; };
    observed.time_since_first_probe = [&](const Container& one) {
      return since_first_probe_ns.value_or(one.started_at ? 100 * kSecondNs - *one.started_at : 0);
    };
    observed.is_cancelled = is_cancelled;
    return docker::decide(*rules, now, observed);
  }

  AppState state() { return progress().state(); }
};

/// Returns a text such as "stop w1-1.timeout after w0-1 1/0 start w2-1 ": the marks of stopped
/// containers, the new attempts with the restarts of app and role, and the started containers.
std::string text_of(const Decision& decision) {
  std::string out;
  for (const auto& [container, mark] : decision.stops)
    out += "stop " + container->id + std::string(name_of(mark)) + " ";
  for (const auto& [after, round] : decision.attempts) {
    out += "after " + after->id + " " + std::to_string(round.app_restarts) + "/" +
           std::to_string(round.role_restarts) + " ";
  }
  for (const Container* one : decision.starts) out += "start " + one->id + " ";
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(DockerDecision)

BOOST_AUTO_TEST_CASE(failed_replica_alone_gets_another_attempt) {
  World world;
  world.role("w", 2).retries(1, RetryPolicy::kReplica);
  world.add("w", 0, "exited", 3);
  world.add("w", 1, "running");
  BOOST_TEST(text_of(world.decide()) == "after w0-1 0/0 ");
  BOOST_TEST((world.state() == AppState::kRunning));
}

BOOST_AUTO_TEST_CASE(attempt_waits_for_the_end_of_its_pause) {
  World world;
  world.role("w").retries(1, RetryPolicy::kReplica);
  world.add("w", 0, "exited", 3);
  world.add("w", 0, "created", 0, {}, 2);
  BOOST_TEST(text_of(world.decide()) == "");
  BOOST_TEST(world.decide().wait_ns == 5 * kSecondNs);  // 10 s after the end at 95 s
  world.containers[0].finished_at = 90 * kSecondNs;
  BOOST_TEST(text_of(world.decide()) == "start w0-2 ");
}

BOOST_AUTO_TEST_CASE(successor_gives_a_running_container_its_whole_time_to_be_ready) {
  World world;
  world.role("db").metadata_json = R"({"slipway.ready":{"tcp":5432,"within_s":60}})";
  world.add("db", 0, "running");
  BOOST_TEST(text_of(world.decide()) == "stop db0-1.not_ready ");
  world.since_first_probe_ns = 20 * kSecondNs;
  BOOST_TEST(text_of(world.decide()) == "");
  BOOST_TEST(world.decide().wait_ns == 40 * kSecondNs);
}

BOOST_AUTO_TEST_CASE(restart_of_the_app_first_stops_what_runs) {
  World world;
  world.role("a").retries(1);
  world.role("b").retries(1);
  world.add("a", 0, "exited", 3);
  world.add("b", 0, "running");
  BOOST_TEST(text_of(world.decide()) == "stop b0-1.restarted ");
  world.containers[1].status = "exited";
  world.containers[1].mark = Mark::kRestarted;
  BOOST_TEST(text_of(world.decide()) == "after a0-1 1/0 after b0-1 1/0 ");
}

BOOST_AUTO_TEST_CASE(successor_completes_a_restart) {
  World world;
  world.role("a", 2).retries(1, RetryPolicy::kRole);
  world.add("a", 0, "exited", 3);
  world.add("a", 0, "created", 0, {0, 1}, 2);
  world.add("a", 1, "exited", 0).mark = Mark::kRestarted;
  BOOST_TEST(text_of(world.decide()) == "after a1-1 0/1 ");
  BOOST_TEST((world.state() == AppState::kRunning));
}

BOOST_AUTO_TEST_CASE(restart_of_the_app_repeats_what_had_succeeded) {
  World world;
  world.role("a").retries(1);
  world.role("b").retries(1);
  world.add("a", 0, "exited", 0);
  world.add("b", 0, "exited", 3);
  BOOST_TEST(text_of(world.decide()) == "after a0-1 1/0 after b0-1 1/0 ");
}

BOOST_AUTO_TEST_CASE(nothing_starts_after_a_cancellation) {
  World world;
  world.role("w", 3).retries(5, RetryPolicy::kReplica);
  world.add("w", 0, "exited", 3);
  world.add("w", 1, "running").mark = Mark::kCancelled;
  world.add("w", 2, "created");
  BOOST_TEST(text_of(world.decide()) == "stop w1-1.cancelled stop w2-1.cancelled ");
  world.containers[1].status = "exited";
  world.containers[2].mark = Mark::kCancelled;
  BOOST_TEST((world.state() == AppState::kCancelled));
}

BOOST_AUTO_TEST_CASE(end_of_the_owner_cancels_a_replica_that_would_get_a_retry) {
  World world;
  world.role("w").retries(5, RetryPolicy::kReplica);
  world.add("w", 0, "exited", 143).mark = Mark::kTimeout;  // would get a retry
  world.is_cancelled = true;
  BOOST_TEST(text_of(world.decide()) == "stop w0-1.cancelled ");
}

BOOST_AUTO_TEST_CASE(cancelled_attempt_before_the_last_one_ends_the_app) {
  World world;
  world.role("w").retries(5, RetryPolicy::kReplica);
  world.add("w", 0, "exited", 3).mark = Mark::kCancelled;
  world.add("w", 0, "running", 0, {}, 2);
  BOOST_TEST(text_of(world.decide()) == "stop w0-2.cancelled ");
}

BOOST_AUTO_TEST_CASE(attempt_beyond_its_time_is_stopped) {
  World world;
  world.cfg.set("timeout_s", 90.0);
  world.role("w", 2);
  world.add("w", 0, "running").started_at = 9 * kSecondNs;
  world.add("w", 1, "running").started_at = 12 * kSecondNs;
  BOOST_TEST(text_of(world.decide()) == "stop w0-1.timeout ");
  BOOST_TEST(world.decide().wait_ns == 2 * kSecondNs);
}

BOOST_AUTO_TEST_CASE(services_stop_in_the_reverse_order_of_their_start) {
  World world;
  world.role("db").metadata_json = R"({"slipway.service":true})";
  world.role("proxy").metadata_json =
      R"({"slipway.service":true,"slipway.depends_on":{"db":"started"}})";
  world.role("w");
  world.add("db", 0, "running");
  world.add("proxy", 0, "running");
  world.add("w", 0, "exited", 3);
  BOOST_TEST(text_of(world.decide()) == "stop proxy0-1.work_done ");
  world.containers[1].status = "exited";
  world.containers[1].mark = Mark::kWorkDone;
  BOOST_TEST(text_of(world.decide()) == "stop db0-1.work_done ");
  world.containers[0].status = "exited";
  world.containers[0].mark = Mark::kWorkDone;
  BOOST_TEST((world.state() == AppState::kFailed));
}

BOOST_AUTO_TEST_CASE(slots_of_max_parallel_are_filled_in_order) {
  World world;
  world.cfg.set("max_parallel", std::int64_t{2});
  world.role("w", 4);
  world.add("w", 0, "running");
  for (const int replica : {1, 2, 3}) world.add("w", replica, "created");
  BOOST_TEST(text_of(world.decide()) == "start w1-1 ");
}

BOOST_AUTO_TEST_CASE(dependent_of_a_retried_role_waits) {
  World world;
  world.role("prepare").retries(1, RetryPolicy::kReplica);
  world.role("w").metadata_json = R"({"slipway.depends_on":{"prepare":"succeeded"}})";
  world.add("prepare", 0, "exited", 3);
  world.add("w", 0, "created");
  BOOST_TEST(text_of(world.decide()) == "after prepare0-1 0/0 ");
  world.app.roles[0].max_retries = 0;
  BOOST_TEST(text_of(world.decide()) == "stop w0-1.dependency ");
}

BOOST_AUTO_TEST_CASE(elastic_role_continues_with_enough_replicas) {
  World world;
  world.role("w", 3).min_replicas = 2;
  world.add("w", 0, "exited", 3);
  world.add("w", 1, "running");
  world.add("w", 2, "running");
  BOOST_TEST(text_of(world.decide()) == "");
  world.containers[1].status = "exited";
  world.containers[1].exit_code = 1;
  BOOST_TEST(text_of(world.decide()) == "stop w2-1.too_few ");
  world.containers[1].exit_code = 0;
  world.containers[2].status = "exited";
  world.containers[2].exit_code = 0;
  BOOST_TEST((world.state() == AppState::kSucceeded));
}

BOOST_AUTO_TEST_CASE(elastic_role_does_not_count_failures_before_its_restart) {
  World world;
  world.role("w", 3).retries(2, RetryPolicy::kRole).min_replicas = 2;
  world.add("w", 0, "exited", 3);
  world.add("w", 0, "exited", 3, {0, 1}, 2);
  world.add("w", 1, "exited", 3);
  world.add("w", 1, "running", 0, {0, 1}, 2);
  world.add("w", 2, "exited", 0).mark = Mark::kRestarted;
  world.add("w", 2, "running", 0, {0, 1}, 2);
  BOOST_TEST(text_of(world.decide()) == "");
  world.containers.erase(world.containers.begin() + 3);  // w/1 has no attempt in the new round yet
  BOOST_TEST(text_of(world.decide()) == "after w1-1 0/1 ");
}

BOOST_AUTO_TEST_CASE(time_grows_with_the_number_of_replicas_and_not_faster) {
  // One replica has failed, so all start again.
  const auto world_of = [](int replicas) {
    World world;
    world.role("w", replicas).retries(1);
    world.role("late", replicas).metadata_json = R"({"slipway.depends_on":{"w":"succeeded"}})";
    for (int i = 0; i < replicas; ++i) {
      world.add("w", i, "exited", i == 7 ? 3 : 0);
      world.add("w", i, "created", 0, {1, 0}, 2);
    }
    for (int i = 0; i < replicas; ++i) {
      world.add("late", i, "created");
      world.add("late", i, "created", 0, {1, 0}, 2);
    }
    return world;
  };
  const auto decide = [](World& world, std::size_t replicas) {
    BOOST_TEST(world.decide().wait_ns == 5 * kSecondNs);
    const Description described = description_of(world.containers, /*with_replicas=*/true);
    BOOST_TEST(described.roles.at(1).replicas.size() == replicas);
  };
  World few = world_of(1000);
  World many = world_of(4000);
  const double ratio = slipway::test::time_ratio([&] { decide(many, 4000); },
                                                 [&] { decide(few, 1000); }, /*most=*/8);
  // Quadratic time would be 16 times as long.
  BOOST_TEST(ratio < 8);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
