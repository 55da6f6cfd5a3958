// The functions of a scheduler as a check calls them: with guarded inputs, and results as values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/check/host/hostile_app.hpp"
#include "sdk/check/host/loaded.hpp"
#include "slipway/app_state.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/options.hpp"

namespace slipway::check {

/// The app that is tried out when none was given: two roles, with something in every field; its image is `image`.
AppDef built_in_app(const std::string& image);

/// A status and the reason that came with it.
struct Answer {
  slipway_status status = SLIPWAY_OK;
  slipway_error error;
};

/// What describe said, copied.
struct SeenReplica {
  std::string role;
  std::int32_t id = 0;
  std::int32_t state = 0;
  bool has_exit_code = false;
  std::int32_t exit_code = 0;
};
struct SeenApp {
  std::string app_id;
  std::int32_t state = 0;
  std::int64_t submitted_at_ns = 0, started_at_ns = 0, finished_at_ns = 0;
  std::string msg;
  std::vector<SeenReplica> replicas;
  bool has_app = false;
};

/// A scheduler of the trial's, from loading to destroying.
class SchedulerUnderTest {
 public:
  explicit SchedulerUnderTest(const Trial& trial, const Instance::How& how = {});

  slipway_scheduler* object() const { return instance_.scheduler(); }
  const slipway_scheduler_vtbl& table() const { return *object()->vtbl; }
  template <class Function>
  bool has(Function slipway_scheduler_vtbl::*function) const {
    return abi::has(table(), function);
  }
  const Trial& trial() const { return instance_.trial(); }
  void step(std::string_view function) const { trial().board.step(function); }
  void destroy() { instance_.destroy(); }

  /// The declared run options. Throws Broken where they are malformed.
  std::vector<RunOpt> run_opts() const;
  /// A value for every declared option that has one: --cfg, the default, or, for a required one, something made up.
  Cfg cfg() const;

  /// The app of the command line, else the built-in one.
  AppDef app() const;
  /// That app with every program replaced by one that sleeps for ten minutes.
  AppDef sleeper() const;

  /// submit_dryrun. `request` is freed by free().
  struct Dryrun : Answer {
    slipway_request* request = nullptr;
    int findings = 0;
  };
  Dryrun dryrun(const slipway_app_def* app, const slipway_cfg* cfg) const;
  /// One that must succeed. Throws Broken, and Unable where the app is not to the scheduler's taste.
  slipway_request* request(const AppDef& app, Awkwardness how = {}) const;
  std::string print(const slipway_request* request, int32_t format) const;
  void free(slipway_request* request) const;

  /// Dry run and schedule; the board knows of it from then on.
  std::string submit(const AppDef& app, int owner_fd = -1) const;

  /// `calls` is how often the callback ran; `stop` what it answers.
  struct Described : Answer {
    int calls = 0;
    SeenApp app;
    slipway_status stop = SLIPWAY_OK;
    std::string malformed;  ///< what is wrong with it; empty: nothing
  };
  Described describe(std::string_view app_id, std::uint32_t want,
                     slipway_status stop = SLIPWAY_OK) const;
  /// describe() of an app that must be there.
  SeenApp seen(std::string_view app_id, std::uint32_t want = 0) const;

  Answer cancel(std::string_view app_id, bool now) const;
  Answer delete_app(std::string_view app_id) const;

  /// Asks until `done(app)`; throws Broken when the state goes back from a terminal one. Half of the check's time limit
  /// at most, then nothing.
  std::optional<SeenApp> wait(std::string_view app_id,
                              const std::function<bool(const SeenApp&)>& done) const;
  /// Until the app is terminal; throws Broken, naming `after`, when it does not become so. The board forgets the app.
  SeenApp wait_for_end(std::string_view app_id, const std::string& after) const;

 private:
  Instance instance_;
};

bool is_terminal_state(std::int32_t state);
/// "SUCCEEDED"; "state 17" for what no version knows.
std::string state_name(std::int32_t state);

}  // namespace slipway::check
