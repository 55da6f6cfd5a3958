#pragma once

#include <string>

namespace slipway::bench {

/// Finds the programs of the measured tree and of this benchmark.
class SubjectTree {
 public:
  /// Throws std::runtime_error if `tree` contains no slipway.
  explicit SubjectTree(const std::string& tree);

  const std::string& slipway() const { return slipway_; }
  /// Returns the directory of the Python packages.
  const std::string& python_files() const { return python_files_; }
  /// Returns the path of a built program of helpers/, such as `bench-noop`.
  std::string helper(const std::string& name) const { return own_dir_ + '/' + name; }

 private:
  std::string slipway_;
  std::string python_files_;
  std::string own_dir_;
};

}  // namespace slipway::bench
