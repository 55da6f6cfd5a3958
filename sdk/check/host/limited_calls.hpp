// The calls of a provider's table that get a slipway_call, by which a host may limit them with a
// deadline or cancel them; without `schedule`, which submits an app, and `check` of components,
// which needs a source file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sdk/check/host/caller.hpp"
#include "sdk/check/host/guarded_memory.hpp"
#include "sdk/check/host/loaded.hpp"
#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

struct LimitedCall {
  std::string name;  ///< "describe"; for steps and messages
  /// Makes the call with this context, and returns its status.
  std::function<slipway_status(const slipway_call*, slipway_error*)> make;
};

/// The calls of an object of the trial's kind, and the call that creates it. Each can be made any
/// number of times: no call submits an app. The files that they make are in the trial's directory,
/// except images in the cache of an image provider and what a workspace builds in an engine, which
/// stay.
class LimitedCalls {
 public:
  /// Loads the library and creates the object. Throws Broken and Inconclusive.
  explicit LimitedCalls(const Trial& trial);
  LimitedCalls(const LimitedCalls&) = delete;
  LimitedCalls& operator=(const LimitedCalls&) = delete;

  const std::vector<LimitedCall>& all() const { return calls_; }

  /// Throws Broken if a callback came in another thread than that of the constructor.
  void verify_thread(const std::string& function) const { caller_.verify(function); }

 private:
  void add(std::string name, decltype(LimitedCall::make) make);
  void add_creation();
  void add_scheduler();
  void add_subscriptions(slipway_str app_id);
  void add_images();
  void add_role_calls();
  void add_resources();
  void add_components();
  void add_workspaces();

  const Trial& trial_;
  std::optional<SchedulerUnderTest> scheduler_;
  std::optional<Instance> other_;  // the object, if it is not a scheduler
  GuardedMemory memory_;
  Caller caller_;  // the context of all callbacks
  std::vector<LimitedCall> calls_;
  int copies_ = 0;  // number of images that workspaces were asked to plan or build
};

}  // namespace slipway::check
