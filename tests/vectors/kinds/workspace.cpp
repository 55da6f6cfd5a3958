// Parses a workspace's text and lists the files that a copy of it contains.

#include "core/runner/workspace.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "plugins/dir_workspace/workspace_copy.hpp"
#include "sdk/support/workspace/workspace_tree.hpp"
#include "tests/vectors/bench.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

namespace {

namespace fs = std::filesystem;

json::value parsed(const std::string& text) {
  const WorkspaceName name = parse_workspace(text);
  const bool is_known = name.provider == "dir" || name.provider == "file";
  return json::object{{"projects", json::object{{is_known ? text : name.provider, ""}}},
                      {"str", text},
                      {"single", true}};
}

json::value copied(const json::object& files) {
  const ScratchDirectory scratch;
  const std::string root = scratch.make("workspace");
  for (const auto& [name, text] : files) {
    const fs::path path = fs::path(root) / std::string(name);
    fs::create_directories(path.parent_path());
    std::ofstream(path) << std::string_view(text.as_string());
  }
  const auto never = [] { return false; };
  dir_workspace::copy_tree(
      workspaces::read_tree(root, workspaces::ignore_rules_of(root), {}, never), root,
      scratch.path(), "out", never);
  const fs::path out = fs::path(scratch.path()) / "out";
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(out))
    if (!entry.is_directory()) names.push_back(entry.path().lexically_relative(out).string());
  std::sort(names.begin(), names.end());
  return json::object{{"image", "<DIR>/out"}, {"files", json::array(names.begin(), names.end())}};
}

}  // namespace

json::value run_workspace(VectorCase& one, Bench&) {
  const std::string op = text_member(one.input, "op");
  if (op == "parse") return parsed(text_member(one.input, "workspace"));
  if (op != "copy") throw BenchError("unknown op " + op);
  return copied(member(one.input, "files").as_object());
}

}  // namespace slipway::vectors
