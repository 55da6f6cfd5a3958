#include "tests/bench/subject_tree.hpp"

#include <unistd.h>

#include <filesystem>
#include <stdexcept>

namespace slipway::bench {

SubjectTree::SubjectTree(const std::string& tree)
    : slipway_(std::filesystem::absolute(tree).string() + "/bin/slipway"),
      python_files_(std::filesystem::absolute(tree).string() + "/share/slipway/python"),
      own_dir_(std::filesystem::read_symlink("/proc/self/exe").parent_path().string()) {
  if (::access(slipway_.c_str(), X_OK) != 0)
    throw std::runtime_error("there is no program " + slipway_ + "; build the tree first");
}

}  // namespace slipway::bench
