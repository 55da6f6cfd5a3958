// The host as plug-ins see it: one slipway_host for each plug-in, with services that plug-ins
// request by id.
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

/// The services of the host. Plug-ins may call the functions from any thread. They may throw Error.
struct HostServices {
  /// Logs a message of the plug-in `plugin_id`. If not set, messages are dropped.
  std::function<void(LogLevel level, std::string_view plugin_id, std::string_view message)> log;
  /// Returns the directory for state; see default_state_dir().
  std::function<std::string()> state_dir;
  /// Opens an image provider by its name, or by the URL of an image.
  std::function<slipway_image_provider*(std::string_view name, const slipway_cancel* cancel)>
      open_image_provider;
  /// Closes a provider of open_image_provider.
  std::function<void(slipway_image_provider* provider)> close_image_provider;
  /// Returns the named resource; throws kNotFound. If not set, the host has no named resources.
  std::function<Resource(std::string_view name)> named_resource;
  /// Returns the device's table in the manifests; see Registry::find_device(). If not set, there is
  /// none.
  std::function<const DeviceTable*(std::string_view name)> device;
};

/// Returns `$XDG_STATE_HOME/slipway`, else `.local/state/slipway` in `$HOME` or in the home
/// directory of the password database. Throws kPrecondition if the user has no home directory.
/// Ignores a relative path in either variable, as the XDG specification requires for
/// XDG_STATE_HOME, and with elevated privileges both variables.
std::string default_state_dir();

/// Returns the table for one plug-in. `state_dir`, if not empty, replaces the directory of the
/// services. The table is never freed, because a loaded library may use it until the process ends.
/// After the destruction of `services`, messages are dropped and services fail with kUnavailable.
const slipway_host* make_host_table(std::string plugin_id,
                                    std::weak_ptr<const HostServices> services,
                                    std::string state_dir = {});

}  // namespace slipway::registry
