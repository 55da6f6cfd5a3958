// What the shape of a job depends on in the cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::slurm {

struct SlurmVersion {
  int major = 24;  ///< 24.05, as TorchX, where nobody can be asked
  int minor = 5;

  /// From 24.11 on, gpus per task change how tasks are bound; gpus per node are asked for instead.
  bool has_gpus_per_node_only() const { return major > 24 || (major == 24 && minor >= 11); }
};

/// From the output of `sinfo --version`, "slurm 22.05.8". Throws Error kInvalid when it is not one.
SlurmVersion parse_version(std::string_view text);

/// The partitions, their nodes' memory and number: `sinfo --format %P,%m,%D --noconvert`, one line
/// for each kind of node.
class Partitions {
 public:
  Partitions() = default;
  /// Skips lines that are not understood, such as the title.
  explicit Partitions(std::string_view sinfo_text);

  /// False where the nodes are configured with 1000 MB or less, which is how sites switch memory
  /// off (RealMemory=1 is the default): a job that asks for memory would never start there. `name`
  /// none: the default partition. Unknown ones are taken to track it.
  bool tracks_memory(const std::optional<std::string>& name) const;

  /// How many nodes the partition has, whatever their state; none: not known. `name` as above.
  std::optional<std::int64_t> nodes(const std::optional<std::string>& name) const;

 private:
  struct Partition {
    std::string name;
    bool is_default = false;
    std::int64_t memory_mb = 0;
    std::optional<std::int64_t> nodes;
  };
  std::vector<Partition> partitions_;
};

/// A number in the output of `scontrol show config`, such as "MaxArraySize = 1001" or
/// "MessageTimeout = 10 sec".
std::optional<std::int64_t> config_number(std::string_view text, std::string_view name);

struct ClusterFacts {
  SlurmVersion version;
  Partitions partitions;
  std::optional<std::int64_t> max_array_size;  ///< indices of an array are below it
};

}  // namespace slipway::slurm
