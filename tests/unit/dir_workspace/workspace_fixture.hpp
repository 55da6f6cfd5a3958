// A temporary workspace for each test.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "plugins/dir_workspace/workspace_copy.hpp"
#include "plugins/dir_workspace/workspace_tree.hpp"

namespace slipway::dir_workspace {

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
  void copy(const std::string& name) const {
    copy_tree(tree(), root.string(), copies().string(), name, [] { return false; });
  }
  std::filesystem::path copies() const { return top / "copies"; }

  std::filesystem::path top, root;
};

inline std::string paths_of(const WorkspaceTree& tree) {
  std::string out;
  for (const Entry& entry : tree.entries) out += (out.empty() ? "" : " ") + entry.path;
  return out;
}

}  // namespace slipway::dir_workspace
