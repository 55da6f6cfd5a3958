// The base class of named-resource providers; see abi/named_resources.h for the contracts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/abi/named_resources.h"
#include "slipway/app.hpp"
#include "slipway/host.hpp"
#include "slipway/provider.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// A provider of named resources. Calls on one object never overlap.
class NamedResources : public Provider {
 public:
  using Provider::Provider;

  /// Returns all resources, in the order for users.
  virtual Dict<Resource> list(const Call& call) = 0;
  /// Returns the resource, or nullopt for an unknown name. The default searches list().
  virtual std::optional<Resource> get(std::string_view name, const Call& call) {
    const Dict<Resource> all = list(call);
    const Resource* found = find(all, name);
    return found != nullptr ? std::optional<Resource>(*found) : std::nullopt;
  }
};

}  // namespace sdk_1_0
}  // namespace slipway
