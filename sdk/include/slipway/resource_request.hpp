// The resource that a user requests by name or by numbers, like TorchX's `specs.resource(cpu, gpu,
// memMB, h)`.
#pragma once

#include <cstdint>
#include <string>

#include "slipway/app.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// The requested name or numbers; 0 means "not given".
struct ResourceRequest {
  CpuCount cpu = 0;
  std::int32_t gpu = 0;
  std::int64_t mem_mb = 0;  ///< MiB
  std::string h;            ///< the name of a resource, or empty
};

/// Returns the resource named `h`, whatever the numbers are. `named` finds it, and throws for an
/// unknown name. Without a name, returns the given numbers, with 2 CPUs, no GPU and 1024 MiB as
/// defaults.
template <class Named>
Resource resource(const ResourceRequest& given, Named&& named) {
  if (!given.h.empty()) return named(given.h);
  Resource out;
  out.cpu = given.cpu != 0 ? given.cpu : 2;
  out.gpu = given.gpu;
  out.mem_mb = given.mem_mb != 0 ? given.mem_mb : 1024;
  return out;
}

}  // namespace sdk_1_0
}  // namespace slipway
