// What a named-resources plug-in implements in C++; contracts in abi/named_resources.h.
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

class NamedResources : public Provider {
 public:
  using Provider::Provider;

  /// In the order in which people should see them.
  virtual Dict<Resource> list() = 0;
  virtual std::optional<Resource> get(std::string_view name) {
    const Dict<Resource> all = list();
    const Resource* found = find(all, name);
    return found != nullptr ? std::optional<Resource>(*found) : std::nullopt;
  }
};

}  // namespace slipway
