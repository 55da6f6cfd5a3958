// The services that write and read texts for plug-ins (abi/host_text.h).
#pragma once

#include <string_view>

namespace slipway::registry {

/// Returns the service with this id, or nullptr. The services need nothing but the host table's
/// error_set, so every host can offer them. Thread-safe.
const void* text_service(std::string_view id);

}  // namespace slipway::registry
