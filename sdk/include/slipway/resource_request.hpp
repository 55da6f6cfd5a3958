// The resource that a command line asks for, by name or by numbers: TorchX's `specs.resource(cpu,
// gpu, memMB, h)`.
#pragma once

#include <cstdint>
#include <string>

#include "slipway/app.hpp"

namespace slipway {

/// What was asked for; 0 is the same as not asked.
struct ResourceRequest {
  std::int32_t cpu = 0;
  std::int32_t gpu = 0;
  std::int64_t mem_mb = 0;  ///< MiB
  std::string h;            ///< the name of a resource; empty: none
};

/// The resource named `h`, from `named`, which is called with the name and throws when nobody knows
/// it; without a name the numbers, with 2 cpus, no gpu and 1024 MiB for what was not asked.
template <class Named>
Resource resource(const ResourceRequest& asked, Named&& named) {
  if (!asked.h.empty()) return named(asked.h);
  Resource out;
  out.cpu = asked.cpu != 0 ? asked.cpu : 2;
  out.gpu = asked.gpu;
  out.mem_mb = asked.mem_mb != 0 ? asked.mem_mb : 1024;
  return out;
}

}  // namespace slipway
