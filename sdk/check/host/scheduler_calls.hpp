// Calls the functions of a scheduler with guarded inputs and returns their results as values.
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

/// A status and its error.
struct Answer {
  slipway_status status = SLIPWAY_OK;
  slipway_error error;
};

/// A copy of a replica that describe reported.
struct SeenReplica {
  std::string role;
  std::int32_t id = 0;
  std::int32_t state = 0;
  bool has_exit_code = false;
  std::int32_t exit_code = 0;
  std::int32_t signal = 0;
  std::int64_t started_at_ns = 0, finished_at_ns = 0;
};
/// A copy of a description.
struct SeenApp {
  std::string app_id;
  std::string name;
  std::int32_t state = 0;
  std::int64_t submitted_at_ns = 0, started_at_ns = 0, finished_at_ns = 0;
  std::string msg;
  std::vector<SeenReplica> replicas;
  std::optional<AppDef> app;  ///< the definition, if it was asked for and kept
};

/// A scheduler of the trial's provider, which the constructor creates as Instance does and the
/// destructor destroys.
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
  void step(std::string_view function) const { trial().progress.step(function); }

  /// Returns the declared run options. Throws Broken if they are malformed.
  std::vector<RunOpt> run_opts() const;
  /// Returns a value for each declared option: that of --cfg, otherwise the default, otherwise a
  /// sample value if the option is required. Throws Inconclusive if a text of --cfg is not of the
  /// option's type.
  Cfg cfg() const;

  /// Returns the app of --app, or built_in_app() without that option.
  AppDef app() const;
  /// Returns that app with every program replaced by one that sleeps for ten minutes.
  AppDef sleeper() const;

  /// The result of submit_dryrun. The caller frees `request` with free().
  struct Dryrun : Answer {
    slipway_request* request = nullptr;
    int findings = 0;
    int refusals = 0;     ///< findings that say that `schedule` will fail
    std::string refusal;  ///< field and reason of the first of them
  };
  /// Calls submit_dryrun and does not judge the answer.
  Dryrun dryrun(const slipway_app_def* app, const slipway_cfg* cfg) const;
  /// Returns the request of a dry run that must succeed. Throws Broken, also for an error that
  /// reports a defect, and Inconclusive if the scheduler refuses the app.
  slipway_request* request(const AppDef& app, Awkwardness how = {}) const;
  /// Throws Broken if the dry run failed because of a defect, and Inconclusive after another error.
  void require_request(const Dryrun& answer) const;
  /// Does the same, and throws Inconclusive if a finding refuses the app.
  void require_accepted(const Dryrun& answer) const;
  /// Returns the text of request_print, which must succeed. `format` is SLIPWAY_PRINT_*.
  std::string print(const slipway_request* request, int32_t format) const;
  /// Frees a request; does nothing for nullptr.
  void free(slipway_request* request) const;

  /// The result of schedule. `calls` counts the calls of on_submission.
  struct Scheduled : Answer {
    std::string app_id;
    int calls = 0;
    slipway_status stop = SLIPWAY_OK;
  };
  /// Makes a request, as request() does, schedules it once and records the app on the progress
  /// page as soon as its id is known. The callback returns `stop`. Does not judge the answer of
  /// schedule.
  Scheduled schedule(const AppDef& app, slipway_schedule_opts opts,
                     slipway_status stop = SLIPWAY_OK) const;
  /// Returns the id of an app that was scheduled. Throws Broken, and Inconclusive as require_ok().
  static std::string verified_id(const Scheduled& out);
  /// Submits the app, which must succeed, and returns its id. The owner of the app holds the other
  /// end of `owner_fd`; -1: the app has no owner.
  std::string submit(const AppDef& app, int owner_fd = -1) const;

  /// The result of describe. `calls` counts the calls of the callback, which returns `stop`.
  struct Described : Answer {
    int calls = 0;
    SeenApp app;
    slipway_status stop = SLIPWAY_OK;
    std::string malformed;  ///< the first defect of the description, or empty
  };
  /// Calls describe. Throws Broken only if it is missing or calls back in another thread.
  Described describe(std::string_view app_id, std::uint32_t want,
                     slipway_status stop = SLIPWAY_OK) const;
  /// Returns the description of an app that must exist. Throws Broken if it is malformed.
  SeenApp seen(std::string_view app_id, std::uint32_t want = 0) const;

  /// Calls cancel and does not judge the answer. A grace time of -1 is that of the app.
  Answer cancel(std::string_view app_id, bool now, std::int64_t grace_ms = -1) const;
  /// Calls delete_app, which the scheduler must have, and does not judge the answer.
  Answer delete_app(std::string_view app_id) const;

  /// Describes the app until `done(app)` returns true. Returns nullopt after half of the check's
  /// time limit. Throws Broken if the app leaves a terminal state.
  std::optional<SeenApp> wait(std::string_view app_id,
                              const std::function<bool(const SeenApp&)>& done) const;
  /// Waits until the app is terminal and removes it from the progress page. Throws Broken if it
  /// does not end; `clause` follows "the app did not end" in the message: "by itself".
  SeenApp wait_for_end(std::string_view app_id, const std::string& clause,
                       const std::string& remedy = {}) const;
  /// Waits for the end of an app that was cancelled.
  SeenApp wait_for_cancelled(std::string_view app_id) const;
  /// Cancels the app without a grace time, and waits for its end.
  SeenApp end(std::string_view app_id) const;

 private:
  Instance instance_;
};

bool is_terminal_state(std::int32_t state);
/// Returns the name of a state, such as "SUCCEEDED", or "state 17" for an unknown state.
std::string state_name(std::int32_t state);

}  // namespace slipway::check
