// The plug-in in this process, and objects that it made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdk/check/check.hpp"
#include "sdk/check/host/guarded_memory.hpp"
#include "sdk/check/host/kit_host.hpp"
#include "slipway/abi/component.h"
#include "slipway/abi/image_provider.h"
#include "slipway/abi/named_resources.h"
#include "slipway/abi/plugin.h"
#include "slipway/abi/scheduler.h"
#include "slipway/abi/workspace.h"

namespace slipway::check {

/// Loads the library as the host does (RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) and returns its descriptor, nothing of
/// which was checked but that it is there. Throws Broken.
const slipway_plugin& load_library(const Trial& trial);

/// The same, and everything in the descriptor that a host relies on. Throws Broken.
const slipway_plugin& load_checked(const Trial& trial);

/// Calls init, where there is one. Throws Broken, or Unable where the plug-in says that it cannot work here.
void initialise(const Trial& trial, const slipway_plugin& plugin, const slipway_host* host);

/// Throws Broken when a failing call gave no message, or its status is none of the ABI's; Unable when the failure says
/// that something is missing on this machine (engine not reachable, tool not installed, no permission). Otherwise nothing:
/// it is for the caller to judge.
void inspect_failure(const std::string& function, slipway_status status,
                     const slipway_error& error);

/// As inspect_failure(), then Broken: this call had no reason to fail.
void require_ok(const std::string& function, slipway_status status, const slipway_error& error);

/// A call without a deadline that nobody cancels; never freed.
const slipway_call* plain_call();

/// An object of the trial's provider; destroyed with this one, before which nothing of it may be left.
class Instance {
 public:
  struct How {
    std::string config_json;  ///< empty: the subject's
    bool poor_host = false;
  };
  /// Loads, initialises and creates. Throws Broken and Unable.
  explicit Instance(const Trial& trial) : Instance(trial, How{}) {}
  Instance(const Trial& trial, const How& how);
  ~Instance() { destroy(); }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  /// Destroys the object now; may be called again.
  void destroy();

  slipway_scheduler* scheduler() const { return static_cast<slipway_scheduler*>(object_); }
  slipway_image_provider* images() const { return static_cast<slipway_image_provider*>(object_); }
  slipway_named_resources* resources() const {
    return static_cast<slipway_named_resources*>(object_);
  }
  slipway_components* components() const { return static_cast<slipway_components*>(object_); }

  slipway_workspace* workspace() const { return static_cast<slipway_workspace*>(object_); }

  const Trial& trial() const { return trial_; }

 private:
  const Trial& trial_;
  void* object_ = nullptr;
};

/// What create does with `config_json`; `*out` is the object, or nullptr. For checks of create itself.
slipway_status create_object(const Trial& trial, const slipway_plugin& plugin,
                             const slipway_host* host, std::string_view config_json, void** out,
                             slipway_error* error);

/// Ends an object of the trial's kind.
void destroy_object(const Trial& trial, void* object);

/// The provider of the trial in the descriptor. Throws Broken when it is not there.
const slipway_provider& provider_of(const Trial& trial, const slipway_plugin& plugin);

}  // namespace slipway::check
