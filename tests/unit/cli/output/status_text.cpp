#include "core/cli/output/status_text.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>

#include "core/cli/output/json_output.hpp"
#include "core/logs/time_text.hpp"
#include "core/status/outcome.hpp"

namespace slipway::cli {
namespace {

/// Returns a failed app of `count` replicas: number 5 exited with 3, the others succeeded.
AppStatus app_with(std::int32_t count) {
  AppStatus out;
  out.handle = {"local_cwd", "s", "app-1"};
  out.description.state = AppState::kFailed;
  RoleStatus role{"w", {}};
  for (std::int32_t i = 0; i < count; ++i) {
    ReplicaStatus replica;
    replica.id = i;
    replica.state = i == 5 ? AppState::kFailed : AppState::kSucceeded;
    replica.exit_code = i == 5 ? 3 : 0;
    replica.reason = "exit";
    role.replicas.push_back(replica);
  }
  out.description.roles.push_back(role);
  return out;
}

BOOST_AUTO_TEST_SUITE(StatusText)

BOOST_AUTO_TEST_CASE(equal_replicas_share_a_line) {
  const std::string text = status_text(app_with(100), {});
  BOOST_TEST(text.find("0-4   SUCCEEDED") != std::string::npos);
  BOOST_TEST(text.find("5     FAILED  exit 3") != std::string::npos);
  BOOST_TEST(text.find("6-99  SUCCEEDED") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(times_are_shown_only_for_a_replica_with_a_line_of_its_own) {
  AppStatus status = app_with(100);
  for (ReplicaStatus& replica : status.description.roles[0].replicas) {
    replica.started_at = replica.id;
    replica.finished_at = replica.id + 2'000'000'000;
    replica.use.cpu_time_ns = replica.id * std::int64_t{100'000'000};
  }
  const std::string text = status_text(status, {});
  BOOST_TEST(text.find("0-4   SUCCEEDED\n") != std::string::npos);
  BOOST_TEST(text.find("5     FAILED  exit 3  after 2.0 s  0.5 s CPU\n") != std::string::npos);
  BOOST_TEST(text.find("6-99  SUCCEEDED\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(merged_entry_reads_like_its_replicas) {
  AppStatus status = app_with(100);
  auto& replicas = status.description.roles[0].replicas;
  const std::string each = status_text(status, {});
  replicas = {replicas[0], replicas[5], replicas[6], replicas[20]};
  replicas[0].count = 5;
  replicas[2].count = 14;
  replicas[3].count = 80;
  BOOST_TEST(status_text(status, {}) == each);
}

BOOST_AUTO_TEST_CASE(only_the_wanted_roles_are_shown) {
  BOOST_TEST(status_text(app_with(2), {"other"}).find("w (2)") == std::string::npos);
  BOOST_TEST(status_text(app_with(2), {"w"}).find("w (2)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(error_file_is_printed_once_below_its_replica) {
  AppStatus status = app_with(6);
  std::string& error = status.description.roles[0].replicas[5].structured_error_json;
  // The line before the exception replaces the message.
  error = R"({"message":{"message":"noise\nwhy\nException x","extraInfo":{"timestamp":0}}})";
  status.description.structured_error_json = error;
  const std::string text = status_text(status, {});
  const std::string time = logs::local_time_text(0);
  BOOST_TEST(text.find("FAILED  exit 3\n          " + time + " why\n") != std::string::npos);
  BOOST_TEST(text.find("error:") == std::string::npos);
  // If the replica is not shown, the error is printed as the app's.
  BOOST_TEST(status_text(status, {"other"}).find("error:\n    " + time + " why\n") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_failure_names_the_replica) {
  BOOST_TEST(failure_text(app_with(8).description) == "w/5 exited with 3");
}

BOOST_AUTO_TEST_CASE(metadata_of_the_scheduler_is_shown) {
  AppStatus status = app_with(1);
  status.description.metadata = {{"queue", "batch"}};
  BOOST_TEST(status_text(status, {}).find("  queue:     batch\n") != std::string::npos);
  const boost::json::object json = status_json(status);
  BOOST_TEST(json.at("metadata").at("queue").as_string() == "batch");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
