// Runs apps with the local scheduler and waits until they have ended.

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/runner/app_watch.hpp"
#include "slipway/error.hpp"
#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/local_case.hpp"

namespace slipway::vectors {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Longer than any case takes; a run that takes more is broken.
constexpr milliseconds kPatience{60'000};

// One app of a case. The destructor ends its processes even if the case fails.
class RunningApp {
 public:
  RunningApp(registry::PluginScheduler& scheduler, std::string id)
      : scheduler_(scheduler), id_(std::move(id)) {}
  ~RunningApp() {
    if (ended_) return;
    try {
      scheduler_.cancel(id_, {true, std::nullopt});
      wait();
    } catch (...) {
      // Nothing can report the error here, and the case has already failed.
    }
  }
  RunningApp(const RunningApp&) = delete;
  RunningApp& operator=(const RunningApp&) = delete;

  const std::string& id() const { return id_; }

  Description describe() const {
    auto description = scheduler_.describe(id_, SLIPWAY_WANT_REPLICAS);
    if (!description) throw BenchError("the scheduler does not know " + id_);
    return *std::move(description);
  }

  /// Returns the description after the app has ended.
  Description wait() {
    AppWatch watch(scheduler_, id_, EventScope::kState);
    const auto deadline = steady_clock::now() + kPatience;
    for (;;) {
      watch.drain();
      Description description = describe();
      if (is_terminal(description.state)) {
        ended_ = true;
        return description;
      }
      const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
      if (left.count() <= 0) throw BenchError(id_ + " does not end");
      pollfd wanted{watch.fd(), POLLIN, 0};
      ::poll(&wanted, 1, static_cast<int>(left.count()));
    }
  }

  /// Cancels the app `after` from now, even if it has ended by then.
  void cancel(milliseconds after) {
    // Waits by time, because the case specifies a time and not an event.
    ::poll(nullptr, 0, static_cast<int>(after.count()));
    scheduler_.cancel(id_, {});
  }

 private:
  registry::PluginScheduler& scheduler_;
  std::string id_;
  bool ended_ = false;
};

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Returns the app's message without what Slipway adds to TorchX's: who cancelled the app.
std::string message_of(const Description& app) {
  const bool names_canceller = app.state == AppState::kCancelled &&
                               app.msg.starts_with("cancelled by `vector-runner`, pid ");
  return names_canceller ? std::string() : app.msg;
}

std::string or_none(const std::string& text) { return text.empty() ? "<NONE>" : text; }

json::value exit_code(const ReplicaStatus& replica) {
  if (replica.exit_code) return *replica.exit_code;
  if (replica.signal != 0) return -replica.signal;
  return nullptr;
}

// TorchX raises Popen's errors to the caller. Slipway starts replicas in another process, so
// schedule succeeds and the app fails without any of its programs.
void throw_if_not_started(const Description& app) {
  for (const RoleStatus& role : app.roles) {
    for (const ReplicaStatus& replica : role.replicas) {
      if (replica.reason == "spawn_failed")
        throw Error(Code::kInvalid, role.role + ": spawn_failed: " + app.msg);
    }
  }
}

// The vectors do not fix the order of the combined log, but no byte of the two streams may be
// missing.
void check_combined(const fs::path& directory, const std::string& where) {
  std::string both = contents(directory / "stdout.log") + contents(directory / "stderr.log");
  std::string combined = contents(directory / "combined.log");
  std::sort(both.begin(), both.end());
  std::sort(combined.begin(), combined.end());
  if (both != combined)
    throw BenchError(where + ": combined.log has " + std::to_string(combined.size()) +
                     " bytes, stdout.log and stderr.log have " + std::to_string(both.size()));
}

json::object replicas(const Description& app, const fs::path& directory) {
  json::object out;
  for (const RoleStatus& role : app.roles) {
    for (const ReplicaStatus& replica : role.replicas) {
      const std::string where = role.role + "/" + std::to_string(replica.id);
      check_combined(directory / where, where);
      out[where] = json::object{{"exitcode", exit_code(replica)},
                                {"stdout", as_utf8(contents(directory / where / "stdout.log"))},
                                {"stderr", as_utf8(contents(directory / where / "stderr.log"))}};
    }
  }
  return out;
}

json::array files(const fs::path& directory) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (!entry.is_directory()) found.push_back(entry.path().lexically_relative(directory).string());
  }
  std::sort(found.begin(), found.end());
  return json::array(found.begin(), found.end());
}

json::value final_state(const fs::path& directory) {
  boost::system::error_code error;
  const json::value success = json::parse(contents(directory / "SUCCESS"), error);
  if (error || !success.is_object()) throw BenchError("SUCCESS holds no JSON object");
  return member(success.get_object(), "final_state");
}

json::object outcome(const Description& app, const fs::path& directory) {
  return {{"state", to_string(app.state)},
          {"num_restarts", app.num_restarts},
          {"msg", or_none(message_of(app))},
          {"structured_error_msg", or_none(app.structured_error_json)},
          {"ui_url", app.ui_url},
          {"replicas", replicas(app, directory)},
          {"files", files(directory)},
          {"SUCCESS_final_state", final_state(directory)}};
}

}  // namespace

json::value run_local_run(VectorCase& one, Bench& bench) {
  const LocalCase local(one);
  // Slipway's status names all roles; TorchX's names none.
  if (one.expected) one.expected->as_object().erase("roles_in_status");
  registry::PluginScheduler scheduler = local.scheduler(bench);
  RunningApp app(
      scheduler,
      scheduler.schedule(local.request(scheduler, {{"log_dir", local.log_dir()}}), {}).app_id);
  if (const json::value* after = one.input.if_contains("cancel_after"))
    app.cancel(milliseconds(static_cast<std::int64_t>(after->to_number<double>() * 1000)));
  const Description description = app.wait();
  throw_if_not_started(description);
  const fs::path directory = fs::path(local.log_dir()) / LocalCase::kSession / app.id();
  return replaced(outcome(description, directory), {{app.id(), local.vector_id()}});
}

}  // namespace slipway::vectors
