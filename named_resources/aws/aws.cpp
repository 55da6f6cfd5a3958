// TorchX's named resources of EC2 instance types.
#include <array>
#include <string>

#include "slipway/json_text.hpp"
#include "slipway/plugin.hpp"

namespace {

struct InstanceType {
  const char* type;
  std::int32_t cpu;
  std::int32_t gpu;
  std::int64_t mem_gib;
  std::int64_t efa = 0;     // network interfaces (Elastic Fabric Adapter)
  std::int64_t neuron = 0;  // AWS accelerators (Trainium, Inferentia)
};

constexpr std::array<InstanceType, 40> kInstanceTypes = {{
    {"t3.medium", 2, 0, 4},
    {"m5.2xlarge", 8, 0, 32},
    {"c5.18xlarge", 72, 0, 142},
    {"p3.2xlarge", 8, 1, 61},
    {"p3.8xlarge", 32, 4, 244},
    {"p3.16xlarge", 64, 8, 488},
    {"p3dn.24xlarge", 96, 8, 768, 1},
    {"p4d.24xlarge", 96, 8, 1152, 4},
    {"p4de.24xlarge", 96, 8, 1152, 4},
    {"p5.48xlarge", 192, 8, 2048, 32},
    {"p5en.48xlarge", 192, 8, 2048, 16},
    {"g4dn.xlarge", 4, 1, 16},
    {"g4dn.2xlarge", 8, 1, 32},
    {"g4dn.4xlarge", 16, 1, 64},
    {"g4dn.8xlarge", 32, 1, 128, 1},
    {"g4dn.16xlarge", 64, 1, 256, 1},
    {"g4dn.12xlarge", 48, 4, 192, 1},
    {"g4dn.metal", 96, 8, 384, 1},
    {"g5.xlarge", 4, 1, 16},
    {"g5.2xlarge", 8, 1, 32},
    {"g5.4xlarge", 16, 1, 64},
    {"g5.8xlarge", 32, 1, 128, 1},
    {"g5.16xlarge", 64, 1, 256, 1},
    {"g5.12xlarge", 48, 4, 192, 1},
    {"g5.24xlarge", 96, 4, 384, 1},
    {"g5.48xlarge", 192, 8, 768, 1},
    {"g6e.xlarge", 4, 1, 32},
    {"g6e.2xlarge", 8, 1, 64},
    {"g6e.4xlarge", 16, 1, 128},
    {"g6e.8xlarge", 32, 1, 256},
    {"g6e.16xlarge", 64, 1, 512},
    {"g6e.12xlarge", 48, 4, 384},
    {"g6e.24xlarge", 96, 4, 768, 2},
    {"g6e.48xlarge", 192, 8, 1536, 4},
    {"trn1.2xlarge", 8, 0, 32, 0, 1},
    {"trn1.32xlarge", 128, 0, 512, 8, 16},
    {"inf2.xlarge", 4, 0, 16, 0, 1},
    {"inf2.8xlarge", 32, 0, 128, 0, 1},
    {"inf2.24xlarge", 96, 0, 384, 0, 6},
    {"inf2.48xlarge", 192, 0, 768, 0, 12},
}};

// The MiB of each GiB that jobs can use: 96 %, rounded to whole MiB, as in TorchX. AWS Batch
// reserves memory, so a job that requests all memory of an instance waits forever.
constexpr std::int64_t kUsableMiBPerGiB = 1024 * 96 / 100;

slipway::Resource resource_of(const InstanceType& instance) {
  slipway::Resource out;
  out.cpu = instance.cpu;
  out.gpu = instance.gpu;
  out.mem_mb = instance.mem_gib * kUsableMiBPerGiB;
  out.capabilities_json =
      "{\"node.kubernetes.io/instance-type\":" + slipway::json_quote(instance.type) + "}";
  if (instance.efa > 0) slipway::set(out.devices, "vpc.amazonaws.com/efa", instance.efa);
  if (instance.neuron > 0)
    slipway::set(out.devices, "aws.amazon.com/neurondevice", instance.neuron);
  return out;
}

class Aws : public slipway::NamedResources {
 public:
  using NamedResources::NamedResources;

  slipway::Dict<slipway::Resource> list(const slipway::Call&) override {
    slipway::Dict<slipway::Resource> out;
    out.reserve(kInstanceTypes.size());
    for (const InstanceType& instance : kInstanceTypes)
      out.emplace_back(std::string("aws_") + instance.type, resource_of(instance));
    return out;
  }
};

}  // namespace

SLIPWAY_PLUGIN("org.slipway.aws", SLIPWAY_VERSION,
               SLIPWAY_PROVIDER(Aws, "aws", "EC2 instance types"))
