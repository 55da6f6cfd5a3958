// Runs apps with the real helper, in a state directory of their own.
#pragma once

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <boost/test/execution_monitor.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugins/local/engine/app_events.hpp"
#include "plugins/local/engine/app_list.hpp"
#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/app_reader.hpp"
#include "plugins/local/engine/control.hpp"
#include "plugins/local/engine/launch.hpp"
#include "plugins/local/engine/retention.hpp"
#include "sdk/support/file_text.hpp"
#include "tests/unit/built_files.hpp"

namespace slipway::local {

/// Returns whether the error reports that something is invalid.
inline bool is_invalid(const Error& error) { return error.code() == Code::kInvalid; }

/// Returns a plan whose replicas, all of the role `w`, run /bin/true.
inline LaunchPlan small_plan(std::string app_id, std::int32_t replicas) {
  LaunchPlan plan;
  plan.app_id = std::move(app_id);
  plan.app_name = "app";
  plan.session = "sess";
  plan.scheduler = "local_cwd";
  plan.environment = {"PATH=/usr/bin:/bin"};
  plan.rules.grace_ms = 60'000;  // on a busy machine SIGTERM must have an effect before SIGKILL
  LaunchGroup group;
  group.role = "w";
  group.count = replicas;
  group.argv = {"/bin/true"};
  group.cwd = "/";
  plan.groups.push_back(std::move(group));
  return plan;
}

/// Returns the path of the helper: SLIPWAY_LOCAL_SUPERVISOR from the environment, or the built one.
inline std::string helper_path() {
  const char* path = std::getenv("SLIPWAY_LOCAL_SUPERVISOR");
  if (path != nullptr) return path;
  return test::built_tree() + "/libexec/slipway/slipway-local-supervisor";
}

/// A directory top() for the files of one test, with the state root root() in it. The destructor
/// ends every app below the root and removes the directory. A test fails if it waits two minutes
/// for an event, which is long even on a busy machine.
class AppFixture {
 public:
  AppFixture() {
    char name[] = "/tmp/slipway-engine-XXXXXX";
    BOOST_TEST_REQUIRE(::mkdtemp(name) != nullptr);
    top_ = name;
  }
  ~AppFixture() {
    for (const auto& app : list_apps(root())) {
      try {
        ensure_supervised(ref(app.app_id), helper_path);
        cancel_app(ref(app.app_id), helper_path, std::nullopt, /*now=*/true);
        wait(app.app_id);
        delete_app(ref(app.app_id));
      } catch (const std::exception&) {
        // The test damaged the record on purpose.
      } catch (const boost::execution_aborted&) {
        // wait() has reported that the app does not end.
      }
    }
    std::error_code ignored;
    std::filesystem::remove_all(top_, ignored);
  }
  AppFixture(const AppFixture&) = delete;
  AppFixture& operator=(const AppFixture&) = delete;

  std::string top() const { return top_; }
  std::string root() const { return top_ + "/state"; }
  AppRef ref(const std::string& app_id) const { return {root(), "sess", app_id}; }
  std::string path(const std::string& app_id) const { return app_dir_path(ref(app_id)); }

  /// Returns a plan whose replicas run `script` in a shell. The script may use macros, so it
  /// has $$ for each dollar sign.
  LaunchPlan shell(const std::string& app_id, std::int32_t replicas,
                   const std::string& script) const {
    LaunchPlan plan = small_plan(app_id, replicas);
    plan.groups[0].argv = {"/bin/sh", "-c", script};
    plan.groups[0].expand_macros = true;
    return plan;
  }

  void launch(const LaunchPlan& plan, int owner_fd = -1) const {
    LaunchRequest request;
    request.state_root = root();
    request.plan = plan;
    request.spec_json = "{\"spec\":1}";
    request.helper_path = helper_path();
    request.owner_fd = owner_fd;
    launch_app(request);
  }

  /// Waits until the app is terminal, and returns it. Like a command, starts a successor if
  /// supervisor and warden have died.
  AppSnapshot wait(const std::string& app_id) const {
    for (;;) {
      ensure_supervised(ref(app_id), helper_path);
      auto app = read_app(ref(app_id));
      BOOST_TEST_REQUIRE(app.has_value());
      if (is_terminal(app->state)) return *app;
      BOOST_TEST_REQUIRE(wait_for_end(app_id, kDeadlineMs), app_id + " did not end in time");
    }
  }

  /// Waits until the app is terminal or its supervisor is gone. Returns false if the app does not
  /// change for `timeout_ms`; -1 waits without a limit.
  bool wait_for_end(const std::string& app_id, int timeout_ms) const {
    auto events = AppEvents::open(ref(app_id), Changes::kState);
    if (!events) return true;
    for (;;) {
      const auto app = read_summary(ref(app_id));
      if (!app || is_terminal(app->state)) return true;
      pollfd ready{events->fd(), POLLIN, 0};
      if (::poll(&ready, 1, timeout_ms) == 0) return false;
      if (!events->drain()) return true;
    }
  }

  /// Returns whether the supervisor, the warden, or a helper that repairs the record holds the
  /// app's lock.
  bool has_helper(const std::string& app_id) const {
    const OwnedFd dir = open_app_dir(ref(app_id));
    return dir && lock_is_held(dir.get());
  }

  /// Waits for the end of a supervisor, which follows some milliseconds after the end of its app.
  void wait_for_supervisor_to_leave(const std::string& app_id) const {
    const OwnedFd dir = open_app_dir(ref(app_id));
    BOOST_TEST_REQUIRE(
        static_cast<bool>(wait_for_lock(dir.get(), std::chrono::milliseconds(kDeadlineMs), {})));
  }

  /// Waits until `done` returns true.
  template <typename Done>
  static void eventually(const std::string& what, Done done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kDeadlineMs);
    while (!done()) {
      BOOST_REQUIRE_MESSAGE(std::chrono::steady_clock::now() < deadline,
                            "did not happen in time: " + what);
      ::usleep(1000);
    }
  }

  /// Waits until `done` returns true for the app.
  template <typename Done>
  AppSnapshot wait_until(const std::string& app_id, Done done) const {
    for (;;) {
      ensure_supervised(ref(app_id), helper_path);
      auto events = AppEvents::open(ref(app_id), Changes::kReplicas);
      for (bool alive = true; alive;) {
        auto app = read_app(ref(app_id));
        BOOST_TEST_REQUIRE(app.has_value());
        if (done(*app)) return *app;
        BOOST_TEST_REQUIRE(!is_terminal(app->state));
        alive = events && wait_readable(events->fd()) && events->drain();
      }
    }
  }

  /// Launches the app and waits for its end.
  AppSnapshot run(const LaunchPlan& plan) const {
    launch(plan);
    return wait(plan.app_id);
  }

  static std::string slurp(const std::string& file) { return file_text(file).value_or(""); }

 private:
  static constexpr int kDeadlineMs = 120'000;

  static bool wait_readable(int fd) {
    pollfd ready{fd, POLLIN, 0};
    const int n = ::poll(&ready, 1, kDeadlineMs);
    BOOST_REQUIRE_MESSAGE(n != 0, "the app did not change in time");
    return n == 1;
  }

  std::string top_;
};

}  // namespace slipway::local
