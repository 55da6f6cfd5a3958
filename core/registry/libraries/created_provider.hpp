// Making an object of a provider that a loaded library has.
#pragma once

#include <string_view>

#include "core/registry/libraries/library.hpp"
#include "core/registry/registry.hpp"

namespace slipway::registry {

/// Returns a new object of `provider`, for the caller to adopt, for `session`. Throws Error kAbi
/// when the library has no such provider or creates nothing, else what the plug-in says.
void* create_provider(const Library& library, const slipway_host* host, const Provider& provider,
                      std::string_view session);

}  // namespace slipway::registry
