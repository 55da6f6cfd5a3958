// TorchX's generic named resources.
#include "slipway/plugin.hpp"

namespace {

slipway::Resource resource(std::int32_t cpu, std::int32_t gpu, std::int64_t mem_mb) {
  slipway::Resource out;
  out.cpu = cpu;
  out.gpu = gpu;
  out.mem_mb = mem_mb;
  return out;
}

constexpr std::int64_t kGiB = 1024;  // MiB

class Generic : public slipway::NamedResources {
 public:
  using NamedResources::NamedResources;

  slipway::Dict<slipway::Resource> list(const slipway::Call&) override {
    return {
        {"gpu.small", resource(8, 1, 32 * kGiB)},
        {"gpu.medium", resource(16, 2, 64 * kGiB)},
        {"gpu.large", resource(32, 4, 128 * kGiB)},
        {"gpu.xlarge", resource(64, 8, 256 * kGiB)},
        {"cpu.nano", resource(1, 0, kGiB / 2)},
        {"cpu.micro", resource(1, 0, kGiB)},
        {"cpu.small", resource(1, 0, 2 * kGiB)},
        {"cpu.medium", resource(2, 0, 4 * kGiB)},
        {"cpu.large", resource(2, 0, 8 * kGiB)},
        {"cpu.xlarge", resource(8, 0, 32 * kGiB)},
        // TorchX's names of a resource without values.
        {"NULL", slipway::Resource()},
        {"MISSING", slipway::Resource()},
    };
  }
};

}  // namespace

SLIPWAY_PLUGIN("org.slipway.generic", SLIPWAY_VERSION,
               SLIPWAY_PROVIDER(Generic, "generic", "sizes that are the same everywhere"))
