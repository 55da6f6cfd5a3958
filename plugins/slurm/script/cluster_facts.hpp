// Facts about a cluster that decide the shape of a job.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::slurm {

struct SlurmVersion {
  int major = 24;  ///< if the version is unknown: 24.05, as in TorchX
  int minor = 5;

  /// Returns whether jobs must ask for GPUs per node, because GPUs per task would also bind the
  /// tasks to CPUs. True from 24.11 on.
  bool has_gpus_per_node_only() const { return major > 24 || (major == 24 && minor >= 11); }
};

/// Reads the output of `sinfo --version`, such as "slurm 22.05.8". Throws Error kInvalid for other
/// text.
SlurmVersion parse_version(std::string_view text);

/// The partitions, with their numbers of nodes and the nodes' memory. Reads the output of `sinfo
/// --format %P,%m,%D --noconvert`, which prints a line for each kind of node.
class Partitions {
 public:
  Partitions() = default;
  /// Skips lines that it cannot read, such as the title.
  explicit Partitions(std::string_view sinfo_text);

  /// Returns whether jobs of the partition may ask for memory. Returns false if its nodes are
  /// configured with 1000 MB or less: sites that do not track memory leave RealMemory at its
  /// default of 1, and a job that asks for memory never starts there. If its nodes differ, the
  /// first line decides. Returns true for an unknown partition. Without `name`, looks at the
  /// default partition.
  bool tracks_memory(const std::optional<std::string>& name) const;

  /// Returns the number of nodes of the partition, in any state; nullopt if it is unknown. Without
  /// `name`, looks at the default partition.
  std::optional<std::int64_t> nodes(const std::optional<std::string>& name) const;

 private:
  struct Partition {
    std::string name;
    bool is_default = false;
    std::int64_t memory_mb = 0;         ///< of each node
    std::optional<std::int64_t> nodes;  ///< their number
  };
  std::vector<Partition> partitions_;
};

/// Returns a number of the output of `scontrol show config`, such as "MaxArraySize = 1001" or
/// "MessageTimeout = 10 sec"; nullopt if it has no such number.
std::optional<std::int64_t> config_number(std::string_view text, std::string_view name);

struct ClusterFacts {
  SlurmVersion version;
  Partitions partitions;
  std::optional<std::int64_t> max_array_size;  ///< array indices must be smaller
};

}  // namespace slipway::slurm
