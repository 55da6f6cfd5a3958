// Where a site keeps the files of its devices: [devices."NAME"] of a manifest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"

namespace slipway::registry {

struct DeviceTable {
  std::string name;  ///< as resources call it: vpc.amazonaws.com/efa
  std::string path;  ///< absolute; "{i}" stands for a number counted from 0
  std::string permissions = "rwm";
  spec::Position source;
  /// The first thing wrong with it; it still shadows later ones of its name.
  std::optional<spec::Problem> error;
};

/// Reads the value of [devices]. What is wrong is added to `problems`; unknown keys are warnings.
std::vector<DeviceTable> read_device_tables(spec::Node& tables, const std::string& file,
                                            spec::ProblemList& problems);

}  // namespace slipway::registry
