#include "plugins/docker/state/app_description.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "plugins/docker/request/container_plan.hpp"

namespace slipway::docker {

namespace json = boost::json;

namespace {

Container container(const std::string& status, int code = 0) {
  Container out;
  out.id = "c";
  out.status = status;
  out.exit_code = code;
  out.labels = {{kAppIdLabel, "app-x"}, {kRoleLabel, "r"}, {kReplicaLabel, "0"}};
  return out;
}

Container cancelled(const std::string& status, int code) {
  Container out = container(status, code);
  out.mark = Mark::kCancelled;
  return out;
}

Answer inspection(const json::object& state, int restarts = 0) {
  Answer out;
  out.status = 200;
  out.body = json::serialize(json::object{{"State", state}, {"RestartCount", restarts}});
  return out;
}

ReplicaStatus replica_of(const Container& one) {
  return description_of({one}, /*with_replicas=*/true).roles.at(0).replicas.at(0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(DockerAppDescription)

BOOST_AUTO_TEST_CASE(replica_that_a_signal_ended_has_no_exit_code) {
  const ReplicaStatus replica = replica_of(container("exited", 137));
  BOOST_TEST(replica.signal == 9);
  BOOST_TEST(!replica.exit_code);
  BOOST_TEST(replica.reason == "signal");
}

BOOST_AUTO_TEST_CASE(replica_beyond_its_memory_has_the_reason_oom) {
  Container one = container("running");
  add_inspection(one, inspection({{"Status", "exited"}, {"ExitCode", 137}, {"OOMKilled", true}}));
  BOOST_TEST(replica_of(one).reason == "oom");
}

BOOST_AUTO_TEST_CASE(ended_container_with_the_mark_cancelled_cancels_the_app) {
  BOOST_TEST((app_state({cancelled("exited", 0)}) == AppState::kCancelled));
  BOOST_TEST((app_state({cancelled("created", 0)}) == AppState::kCancelled));
  // A container that still runs does not count as cancelled yet.
  BOOST_TEST((app_state({cancelled("running", 0)}) == AppState::kRunning));
  // Even beside a failure.
  BOOST_TEST(
      (app_state({container("exited", 1), cancelled("exited", 143)}) == AppState::kCancelled));
}

BOOST_AUTO_TEST_CASE(short_program_does_not_end_before_it_starts) {
  Container one = container("running");
  add_inspection(one, inspection({{"Status", "exited"},
                                  {"ExitCode", 0},
                                  {"StartedAt", "2026-01-02T03:04:05.2Z"},
                                  {"FinishedAt", "2026-01-02T03:04:05.1Z"}}));
  BOOST_TEST((one.started_at == one.finished_at));
}

BOOST_AUTO_TEST_CASE(restarts_are_counted) {
  Container one = container("running");
  add_inspection(one, inspection({{"Status", "running"}, {"Pid", 7}}, 2));
  const Description app = description_of({one}, /*with_replicas=*/true);
  BOOST_TEST(app.num_restarts == 2);
  BOOST_TEST(replica_of(one).restarts == 2);
  BOOST_TEST(replica_of(one).pid == 7);
}

BOOST_AUTO_TEST_CASE(restart_that_the_engine_waits_for_is_not_counted) {
  Container one = container("running");
  const json::object restarting = {
      {"Status", "restarting"}, {"ExitCode", 3}, {"StartedAt", "2026-01-02T03:04:05Z"}};
  add_inspection(one, inspection(restarting, 2));
  BOOST_TEST(description_of({one}, /*with_replicas=*/true).num_restarts == 1);
  BOOST_TEST(replica_of(one).restarts == 1);
  add_inspection(one, inspection(restarting, 0));
  BOOST_TEST(replica_of(one).restarts == 0);
}

BOOST_AUTO_TEST_CASE(replica_with_a_probe_is_ready_if_the_helper_says_so) {
  const auto details = [](Container one, const std::optional<ReadyContainers>& ready) {
    one.labels.emplace_back(kRulesLabel,
                            R"({"options":{},"app":{"name":"a","roles":[{"name":"r","metadata":)"
                            R"({"slipway.ready":{"log":"x"}}}]}})");
    const Description app = description_of({one}, /*with_replicas=*/true, ready);
    const json::value all = json::parse(app.roles.at(0).replicas.at(0).details_json);
    return json::serialize(all.at("ready"));
  };
  // null: unknown, because no helper answered, or because an earlier helper may have found the
  // ended replica ready. A container that has not started cannot be ready.
  ReadyContainers ready;
  BOOST_TEST(details(container("running"), {}) == "null");
  BOOST_TEST(details(container("running"), ready) == "false");
  BOOST_TEST(details(container("created"), {}) == "false");
  BOOST_TEST(details(container("exited"), ready) == "null");
  ready.add("c");
  BOOST_TEST(details(container("running"), ready) == "true");
  BOOST_TEST(details(container("exited"), ready) == "true");
}

BOOST_AUTO_TEST_CASE(replicas_have_the_order_of_the_app) {
  std::vector<Container> all = {container("running"), container("running"), container("running")};
  const char* roles[] = {"b", "a", "b"};
  const char* indexes[] = {"2", "0", "1"};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].labels = {{kAppIdLabel, "app-x"}, {kRoleLabel, roles[i]}, {kReplicaLabel, "0"}};
    all[i].labels.emplace_back(kIndexLabel, indexes[i]);
  }
  sort_replicas(all);
  BOOST_TEST(all[0].role() == "a");
  BOOST_TEST(all[2].label(kIndexLabel) == "2");
}

BOOST_AUTO_TEST_CASE(list_has_one_item_for_each_app_of_each_session) {
  std::vector<Container> all = {container("running"), container("running"), container("running")};
  all[1].labels.emplace_back(kSessionLabel, "other");
  all[2].labels.emplace_back(kSubmittedLabel, "99");  // still a container of the first app
  const std::vector<ListItem> items = list_items(all, [](const auto&, AppState) {});
  BOOST_TEST(items.size() == 2U);
}

BOOST_AUTO_TEST_CASE(name_of_a_container_has_its_attempt_and_its_mark) {
  const auto read = [](const std::string& name, const std::string& attempt) {
    json::object labels = {{kAppIdLabel, "app-x"}};
    if (!attempt.empty()) labels[kAttemptLabel] = attempt;
    Answer list;
    list.status = 200;
    list.body = json::serialize(json::array{json::object{
        {"Id", "c"}, {"Names", json::array{"/" + name}}, {"State", "exited"}, {"Labels", labels}}});
    return containers_in(list).at(0);
  };
  Container one = read("app-x-w-0", "1");
  BOOST_TEST(one.name == "app-x-w-0");
  BOOST_TEST(marked_name(one, Mark::kTimeout) == "app-x-w-0.1.timeout");
  one = read("app-x-w-0.1.timeout", "1");
  BOOST_TEST(one.name == "app-x-w-0");
  BOOST_TEST((one.mark == Mark::kTimeout));
  BOOST_TEST(earlier_name(one) == "app-x-w-0.1");
  // The role is called "w.1"; a container without the label has no attempt in its name.
  one = read("app-x-w.1-0.cancelled", "");
  BOOST_TEST(one.name == "app-x-w.1-0");
  BOOST_TEST((one.mark == Mark::kCancelled));
  BOOST_TEST(marked_name(one, Mark::kCancelled) == "app-x-w.1-0.cancelled");
}

BOOST_AUTO_TEST_CASE(mark_decides_the_state_of_what_slipway_ended) {
  const auto end = [](Mark mark) {
    Container one = container("exited", 143);
    one.mark = mark;
    return replica_of(one);
  };
  BOOST_TEST((end(Mark::kTimeout).state == AppState::kFailed));
  BOOST_TEST(end(Mark::kTimeout).reason == "timeout");
  BOOST_TEST((end(Mark::kWorkDone).state == AppState::kCancelled));
  BOOST_TEST(end(Mark::kWorkDone).reason == "work_done");
  BOOST_TEST((end(Mark::kAppTimeout).state == AppState::kFailed));
  BOOST_TEST(end(Mark::kAppTimeout).reason == "timeout");
  Container waiting = container("created");
  waiting.mark = Mark::kAppTimeout;
  BOOST_TEST((replica_of(waiting).state == AppState::kCancelled));
  BOOST_TEST(replica_of(waiting).reason == "timeout");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
