// Loads the plug-in into this process and creates its objects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sdk/check/host/guarded_memory.hpp"
#include "sdk/check/host/kit_host.hpp"
#include "sdk/check/trial/check.hpp"
#include "slipway/abi/component.h"
#include "slipway/abi/image_provider.h"
#include "slipway/abi/named_resources.h"
#include "slipway/abi/plugin.h"
#include "slipway/abi/scheduler.h"
#include "slipway/abi/workspace.h"

namespace slipway::check {

/// Returns whether hosts of this version know the kind of providers. They ignore the others
/// (abi/plugin.h), and so do the checks of objects.
bool is_known_kind(std::string_view kind);

/// Loads the library like the host (RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) and returns its
/// descriptor, which is not checked. Throws Broken if the library cannot be loaded or has no
/// descriptor.
const slipway_plugin& load_library(const Trial& trial);

/// Does the same and checks everything in the descriptor that a host relies on. Throws Broken.
const slipway_plugin& load_checked(const Trial& trial);

/// Throws Inconclusive if the plug-in was built for a later minor version than the kit. Such a
/// plug-in reads newer fields, and the kit fills these with arbitrary bytes when it plays a newer
/// host. Throws Broken as load_checked() does.
void require_known_version(const Trial& trial);

/// Calls init, if the plug-in has one. Throws Broken, or Inconclusive if the plug-in reports that
/// it cannot work on this machine.
void initialise(const Trial& trial, const slipway_plugin& plugin, const slipway_host* host);

/// Throws Broken if a failed call gave no message, details that are not a JSON object, or a status
/// that is not part of the ABI.
void require_reason(const std::string& function, slipway_status status, const slipway_error& error);

/// Does the same as require_reason(), and throws Inconclusive if the status says that the call
/// cannot work on this machine now (engine not reachable or too slow, tool not installed, no
/// permission). Otherwise returns, and the caller judges the failure.
void inspect_failure(const std::string& function, slipway_status status,
                     const slipway_error& error);

/// Does the same as inspect_failure(), and throws Broken for any other failure, because the call
/// had no reason to fail.
void require_ok(const std::string& function, slipway_status status, const slipway_error& error);

/// Returns a call without deadline and cancellation; never freed.
const slipway_call* plain_call();

/// A callback of a list whose items do not matter.
template <typename View>
slipway_status ignore_item(void*, const View*) {
  return SLIPWAY_OK;
}

/// The session of the objects that the kit creates.
inline constexpr const char* kSession = "check";

/// Owns an object of the trial's provider. Everything that came from the object must be freed
/// first.
class Instance {
 public:
  /// The arguments of the creation.
  struct How {
    std::string config_json;  ///< empty selects the subject's configuration
    bool poor_host = false;   ///< the host has no services
    std::string session = kSession;
  };
  /// Loads the library, initialises it and creates the object. Throws Broken and Inconclusive.
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

/// Calls the provider's create with `config_json` and `out`, and does not judge the answer. Throws
/// Broken if the library lacks the provider. For checks of create itself.
slipway_status create_object(const Trial& trial, const slipway_plugin& plugin,
                             const slipway_host* host, std::string_view config_json, void** out,
                             slipway_error* error, std::string_view session = kSession,
                             const slipway_call* call = plain_call());

/// Destroys an object of the trial's kind.
void destroy_object(const Trial& trial, void* object);

/// Returns the trial's provider in the descriptor. Throws Broken if it is missing.
const slipway_provider& provider_of(const Trial& trial, const slipway_plugin& plugin);

}  // namespace slipway::check
