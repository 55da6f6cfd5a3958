// Two named resources.
#pragma once

#include "slipway/named_resources.hpp"

namespace kept {

class Resources : public slipway::NamedResources {
 public:
  using NamedResources::NamedResources;

  slipway::Dict<slipway::Resource> list(const slipway::Call& /*call*/) override {
    slipway::Resource small;
    small.cpu = 1;
    small.mem_mb = 1024;
    slipway::Resource large;
    large.cpu = 8;
    large.mem_mb = 8192;
    return {{"kept.small", small}, {"kept.large", large}};
  }
};

}  // namespace kept
