// A temporary workspace for each test.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include "sdk/support/workspace/workspace_tree.hpp"

namespace slipway::workspaces {

struct WorkspaceFixture {
  WorkspaceFixture() {
    std::string name =
        (std::filesystem::temp_directory_path() / "slipway-workspace-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no directory for the test");
    top = name;
    root = top / "workspace";
    std::filesystem::create_directory(root);
  }
  ~WorkspaceFixture() {
    std::error_code ignored;
    std::filesystem::remove_all(top, ignored);
  }

  void write(const std::string& name, const std::string& text = "x") const {
    std::filesystem::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  }
  WorkspaceTree tree(const std::string& excluded = {}) const {
    return read_tree(root.string(), ignore_rules_of(root.string()), excluded, [] { return false; });
  }

  std::filesystem::path top, root;
};

/// Returns the paths of all entries in order, separated by spaces.
inline std::string paths_of(const WorkspaceTree& tree) {
  std::string out;
  for (const Entry& entry : tree.entries) out += (out.empty() ? "" : " ") + entry.path;
  return out;
}

}  // namespace slipway::workspaces
