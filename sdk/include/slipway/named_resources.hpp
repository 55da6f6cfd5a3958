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

namespace slipway {

class NamedResources {
 public:
  NamedResources(Host host, CreateArgs args) : host_(host), args_(std::move(args)) {}
  virtual ~NamedResources() = default;
  NamedResources(const NamedResources&) = delete;
  NamedResources& operator=(const NamedResources&) = delete;

  /// In the order in which people should see them.
  virtual Dict<Resource> list() = 0;
  virtual std::optional<Resource> get(std::string_view name) {
    const Dict<Resource> all = list();
    const Resource* found = find(all, name);
    return found != nullptr ? std::optional<Resource>(*found) : std::nullopt;
  }

 protected:
  const Host& host() const { return host_; }
  const CreateArgs& args() const { return args_; }

 private:
  Host host_;
  CreateArgs args_;
};

}  // namespace slipway
