#include "core/status/app_events.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

namespace slipway {
namespace {

AttemptStatus failed_attempt(std::int64_t started, std::int64_t finished, int exit_code) {
  AttemptStatus out;
  out.state = AppState::kFailed;
  out.exit_code = exit_code;
  out.reason = "exit";
  out.started_at = started;
  out.finished_at = finished;
  return out;
}

ReplicaStatus running(std::int32_t id, std::int64_t started) {
  ReplicaStatus out;
  out.id = id;
  out.state = AppState::kRunning;
  out.started_at = started;
  return out;
}

ReplicaStatus ended(std::int32_t id, std::int64_t started, std::int64_t finished, int exit_code) {
  ReplicaStatus out = running(id, started);
  out.state = exit_code == 0 ? AppState::kSucceeded : AppState::kFailed;
  out.exit_code = exit_code;
  out.reason = "exit";
  out.finished_at = finished;
  return out;
}

Description app_with(std::vector<ReplicaStatus> replicas, AppState state = AppState::kRunning) {
  Description out;
  out.app_id = "app-1";
  out.state = state;
  out.submitted_at = 1;
  out.started_at = 2;
  if (is_terminal(state)) out.finished_at = 100;
  out.roles.push_back({"w", std::move(replicas)});
  return out;
}

/// Returns "KIND w/0#1" for each event of a replica, and the kind for each event of the app.
std::vector<std::string> words(const std::vector<AppEvent>& events) {
  std::vector<std::string> out;
  for (const AppEvent& event : events) {
    std::string word = to_string(event.kind);
    if (!event.role.empty()) {
      word += " " + event.role + "/" + std::to_string(event.replica) + "#" +
              std::to_string(event.attempt);
    }
    out.push_back(word);
  }
  return out;
}

using Words = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(AppEvents)

BOOST_AUTO_TEST_CASE(events_of_a_finished_app_come_in_the_order_of_time) {
  ReplicaStatus retried = ended(0, 30, 40, 0);
  retried.earlier_attempts = {failed_attempt(3, 9, 7)};
  EventReader reader;
  const Words found =
      words(reader.read(app_with({retried, ended(1, 4, 20, 0)}, AppState::kSucceeded)));
  const Words expected{"submitted",
                       "started",
                       "replica_started w/0#1",
                       "replica_started w/1#1",
                       "attempt_ended w/0#1",
                       "replica_ended w/1#1",
                       "replica_started w/0#2",
                       "replica_ended w/0#2",
                       "ended"};
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_event_is_returned_once) {
  EventReader reader;
  BOOST_TEST(words(reader.read(app_with({running(0, 3)}))) ==
                 (Words{"submitted", "started", "replica_started w/0#1"}),
             boost::test_tools::per_element());
  BOOST_TEST(reader.read(app_with({running(0, 3)})).empty());
  const Description end = app_with({ended(0, 3, 9, 1)}, AppState::kFailed);
  BOOST_TEST(words(reader.read(end)) == (Words{"replica_ended w/0#1", "ended"}),
             boost::test_tools::per_element());
  BOOST_TEST(reader.read(end).empty());
}

BOOST_AUTO_TEST_CASE(events_of_all_attempts_between_two_descriptions_are_returned) {
  EventReader reader;
  reader.read(app_with({running(0, 3)}));
  ReplicaStatus later = running(0, 50);
  later.earlier_attempts = {failed_attempt(3, 9, 7), failed_attempt(20, 30, 8)};
  BOOST_TEST(words(reader.read(app_with({later}))) ==
                 (Words{"attempt_ended w/0#1", "replica_started w/0#2", "attempt_ended w/0#2",
                        "replica_started w/0#3"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(last_event_of_a_replica_that_waits_for_its_retry_is_the_end_of_its_attempt) {
  EventReader reader;
  ReplicaStatus waiting;
  waiting.state = AppState::kPending;
  waiting.earlier_attempts = {failed_attempt(3, 9, 7)};
  BOOST_TEST(words(reader.read(app_with({waiting}))) ==
                 (Words{"submitted", "started", "replica_started w/0#1", "attempt_ended w/0#1"}),
             boost::test_tools::per_element());
  BOOST_TEST(reader.read(app_with({waiting})).empty());
}

BOOST_AUTO_TEST_CASE(attempt_after_one_that_is_only_counted_has_its_events_and_its_number) {
  ReplicaStatus again = running(0, 50);
  again.restarts = 1;
  ReplicaStatus done = ended(0, 50, 60, 0);
  done.restarts = 1;
  for (const bool end_was_seen : {false, true}) {
    EventReader reader;
    reader.read(app_with({end_was_seen ? ended(0, 3, 9, 7) : running(0, 3)}));
    ReplicaStatus waiting;
    waiting.state = AppState::kPending;
    waiting.restarts = 1;
    BOOST_TEST(reader.read(app_with({waiting})).empty());
    BOOST_TEST(words(reader.read(app_with({again}))) == (Words{"replica_started w/0#2"}),
               boost::test_tools::per_element());
    BOOST_TEST(words(reader.read(app_with({done}, AppState::kSucceeded))) ==
                   (Words{"replica_ended w/0#2", "ended"}),
               boost::test_tools::per_element());
  }
  EventReader late;
  BOOST_TEST(words(late.read(app_with({again}))) ==
                 (Words{"submitted", "started", "replica_started w/0#2"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(replica_that_never_ran_has_an_end_and_no_start) {
  EventReader reader;
  ReplicaStatus cancelled;
  cancelled.state = AppState::kCancelled;
  cancelled.reason = "cancelled";
  BOOST_TEST(words(reader.read(app_with({cancelled}, AppState::kCancelled))) ==
                 (Words{"submitted", "started", "replica_ended w/0#1", "ended"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

AppEvent end_of_attempt(AppEvent::Kind kind, const std::string& reason) {
  AppEvent out;
  out.kind = kind;
  out.role = "w";
  out.attempt = 1;
  out.state = AppState::kFailed;
  out.reason = reason;
  out.exit_code = 7;
  return out;
}

BOOST_AUTO_TEST_SUITE(EventText)

BOOST_AUTO_TEST_CASE(says_which_retry_follows_and_what_it_restarts) {
  const AppEvent end = end_of_attempt(AppEvent::Kind::kAttemptEnded, "exit");
  const RetryLimit app{3, RetryPolicy::kApplication};
  const RetryLimit role{3, RetryPolicy::kRole};
  const RetryLimit replica{3, RetryPolicy::kReplica};
  BOOST_TEST(event_text(end, &app) == "exited with 7; retry 1 of 3 restarts the app");
  BOOST_TEST(event_text(end, &role) == "exited with 7; retry 1 of 3 restarts the role");
  BOOST_TEST(event_text(end, &replica) == "exited with 7; retry 1 of 3");
  const RetryLimit none{};
  BOOST_TEST(event_text(end, &none) == "exited with 7; starts again");
  BOOST_TEST(event_text(end) == "exited with 7; starts again");
}

BOOST_AUTO_TEST_CASE(names_the_cause_of_an_end) {
  const auto text = [](const char* reason) {
    return event_text(end_of_attempt(AppEvent::Kind::kReplicaEnded, reason));
  };
  BOOST_TEST(text("exit") == "exited with 7");
  BOOST_TEST(text("oom") == "ran out of memory");
  BOOST_TEST(text("timeout") == "exceeded its time limit");
  BOOST_TEST(text("spawn_failed") == "could not be started");
  AppEvent killed = end_of_attempt(AppEvent::Kind::kReplicaEnded, "signal");
  killed.exit_code.reset();
  killed.signal = 11;
  BOOST_TEST(event_text(killed) == "was killed by SIGSEGV");
}

BOOST_AUTO_TEST_CASE(only_a_failed_attempt_that_was_not_restarted_or_cancelled_is_a_failure) {
  using Kind = AppEvent::Kind;
  BOOST_TEST(is_failure(end_of_attempt(Kind::kReplicaEnded, "exit")));
  BOOST_TEST(is_failure(end_of_attempt(Kind::kAttemptEnded, "oom")));
  BOOST_TEST(!is_failure(end_of_attempt(Kind::kAttemptEnded, "restarted")));
  BOOST_TEST(!is_failure(end_of_attempt(Kind::kReplicaEnded, "cancelled")));
  BOOST_TEST(is_failure(end_of_attempt(Kind::kReplicaEnded, "dependency")));
  BOOST_TEST(!is_failure(end_of_attempt(Kind::kReplicaStarted, "")));
  for (const AppState state : {AppState::kSucceeded, AppState::kCancelled}) {
    AppEvent end = end_of_attempt(Kind::kReplicaEnded, "exit");
    end.state = state;
    BOOST_TEST(!is_failure(end));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
