// Named resources for the readers of app files.
#pragma once

#include "core/cli/invocation/invocation.hpp"
#include "core/spec/resolve_resources.hpp"

namespace slipway::cli {

/// Both ask the invocation's resource book, which must outlive them.
inline spec::ResourceResolver resource_resolver(Invocation& invocation) {
  return [&invocation](std::string_view name) { return invocation.resources().find_named(name); };
}
inline spec::ResourceNames resource_names(Invocation& invocation) {
  return [&invocation] { return invocation.resources().names(); };
}

}  // namespace slipway::cli
