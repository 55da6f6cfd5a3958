// The host's side of the boundary: one slipway_host per plug-in, with the services that plug-ins
// ask for by id.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/registry/manifests/device_table.hpp"
#include "slipway/abi/host.h"
#include "slipway/abi/image_provider.h"
#include "slipway/app.hpp"
#include "slipway/host.hpp"

namespace slipway::registry {

/// What the host does for plug-ins. The functions may be called from any thread and may throw
/// Error.
struct HostServices {
  /// A message of the plug-in `plugin_id`. Empty: messages are dropped.
  std::function<void(LogLevel level, std::string_view plugin_id, std::string_view message)> log;
  /// `$XDG_STATE_HOME/slipway` or its default; see default_state_dir().
  std::function<std::string()> state_dir;
  /// Opens and closes image providers by name or URL.
  std::function<slipway_image_provider*(std::string_view name)> open_image_provider;
  std::function<void(slipway_image_provider* provider)> close_image_provider;
  /// The resource called so; throws kNotFound. Empty: the host offers none.
  std::function<Resource(std::string_view name)> named_resource;
  /// What the site says about a device; see Registry::find_device(). Empty: nothing.
  std::function<const DeviceTable*(std::string_view name)> device;
};

/// `$XDG_STATE_HOME/slipway`, else `$HOME/.local/state/slipway`, else below the home of the
/// password database. Throws kPrecondition when there is none. A relative XDG_STATE_HOME is
/// ignored, as the XDG specification asks.
std::string default_state_dir();

/// Returns the table for one plug-in. `state_dir` takes the place of the services' when it is not
/// empty. The table is never freed: a loaded library may use it until the process ends. After
/// `services` has died, messages are dropped and services fail with kUnavailable.
const slipway_host* make_host_table(std::string plugin_id,
                                    std::weak_ptr<const HostServices> services,
                                    std::string state_dir = {});

}  // namespace slipway::registry
