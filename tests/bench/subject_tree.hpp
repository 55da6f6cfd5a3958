#pragma once

#include <string>

namespace slipway::bench {

/// Where the programs are: those of the tree that is measured, and this benchmark's own.
class SubjectTree {
 public:
  /// Throws std::runtime_error when there is no slipway in `tree`.
  explicit SubjectTree(const std::string& tree);

  const std::string& slipway() const { return slipway_; }
  /// The path of a program of helpers/, by its name there (`bench-noop`).
  std::string helper(const std::string& name) const { return own_dir_ + '/' + name; }

 private:
  std::string slipway_;
  std::string own_dir_;
};

}  // namespace slipway::bench
