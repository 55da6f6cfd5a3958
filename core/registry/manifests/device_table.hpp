// Reads [devices."NAME"] of a manifest: the paths of the device files for NAME in the `devices` of
// resources.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

struct DeviceTable {
  std::string name;                 ///< as in `devices` of a resource: vpc.amazonaws.com/efa
  std::string path;                 ///< absolute; "{i}" stands for the number of the device, from 0
  std::string permissions = "rwm";  ///< of r (read), w (write) and m (make device files)
  spec::Position source;            ///< place of the table
  /// The first error of the table. A table with an error still shadows later ones of its name.
  std::optional<spec::Problem> error;
};

/// Reads the value of [devices]. Adds errors, and warnings about unknown keys, to `problems`.
std::vector<DeviceTable> read_device_tables(spec::Node& tables, const std::string& file,
                                            spec::ProblemList& problems);

}  // namespace slipway::registry
