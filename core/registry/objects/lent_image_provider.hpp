// An image provider as the scheduler of another plug-in sees it.
#pragma once

#include "core/registry/objects/plugin_object.hpp"
#include "slipway/abi/image_provider.h"

namespace slipway::registry {

/// An image provider that the host lends to a scheduler. Its functions call those of the plug-in's
/// object, and mark the calls (calls/plugin_call.hpp): a crash, an exit or an endless call names
/// the provider's plug-in and function. During a callback the thread is in the scheduler's call
/// again. An exception that leaves the plug-in becomes SLIPWAY_E_INTERNAL with a message that names
/// the plug-in.
///
/// The table has the functions that the plug-in implements, except get_extension: the functions of
/// an extension would get the wrong object. `destroy` does nothing, because the scheduler must not
/// call it. The functions may be called in any thread, as those of the plug-in's object.
class LentImageProvider : private slipway_image_provider {
 public:
  /// `host` is the table whose error_set gets the messages of exceptions.
  LentImageProvider(PluginImageProvider provider, const slipway_host* host);
  LentImageProvider(const LentImageProvider&) = delete;
  LentImageProvider& operator=(const LentImageProvider&) = delete;

  /// Returns the object to lend, which is valid as long as this one.
  slipway_image_provider* get() { return this; }

  /// Returns the object that lends `lent`, a result of get().
  static const LentImageProvider& of(slipway_image_provider* lent) {
    return *static_cast<LentImageProvider*>(lent);
  }
  const PluginImageProvider& provider() const { return provider_; }
  const slipway_host* host() const { return host_; }

 private:
  slipway_image_provider_vtbl table_;
  PluginImageProvider provider_;
  const slipway_host* host_;
};

}  // namespace slipway::registry
