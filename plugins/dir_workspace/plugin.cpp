// The workspace providers `dir` and `file`: copy directories of this machine.
#include "slipway/plugin.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>

#include "plugins/dir_workspace/workspace_copy.hpp"
#include "sdk/support/absolute_path.hpp"
#include "sdk/support/workspace/workspace_tree.hpp"
#include "slipway/workspace.hpp"

namespace slipway::dir_workspace {

namespace {

namespace fs = std::filesystem;

/// A workspace to copy.
struct Plan {
  std::string root;  ///< the workspace's directory
  workspaces::WorkspaceTree tree;
  WorkspaceResult result;
};

// Returns the path in `file:///x` or `dir:///x`, or `source` itself, without `.`, `..` and a slash
// at the end.
std::string path_of(const std::string& source) {
  const std::size_t scheme = source.find("://");
  const fs::path path = scheme == std::string::npos ? source : source.substr(scheme + 3);
  fs::path normal = normal_path(path);
  if (!normal.has_filename()) normal = normal.parent_path();
  return normal.string();
}

Plan make_plan(const WorkspaceOrder& order, const Call& call) {
  Plan out;
  out.root = path_of(order.source);
  if (out.root.empty() || out.root[0] != '/')
    throw Error(Code::kInvalid, "the workspace \"" + order.source + "\" is not an absolute path");
  if (order.directory.empty() || order.directory[0] != '/' || order.name.empty() ||
      order.name.find('/') != std::string::npos || order.name[0] == '.')
    throw Error(Code::kInvalid, "a workspace cannot be copied to \"" + order.name + "\" in \"" +
                                    order.directory + "\"");
  const std::string directory = path_of(order.directory);
  std::error_code missing;  // of a directory that is not there yet
  if (directory == out.root || fs::equivalent(directory, out.root, missing))
    throw Error(Code::kInvalid, "the copy of the workspace " + out.root + " would be part of it",
                "use a directory inside it for copies, or one outside");
  const std::function<bool()> is_cancelled = [&] { return call.cancelled(); };
  // Skips earlier copies, which may lie inside the workspace.
  out.tree = workspaces::read_tree(out.root, workspaces::ignore_rules_of(out.root), directory,
                                   is_cancelled);
  out.result = {(fs::path(directory) / order.name).string(), out.tree.files(), out.tree.bytes()};
  return out;
}

}  // namespace

class DirWorkspace : public Workspace {
 public:
  using Workspace::Workspace;
  WorkspaceResult plan(const WorkspaceOrder& order, const Call& call) override;
  WorkspaceResult build(const WorkspaceOrder& order, const Call& call) override;
  void discard(std::string_view image, const Call& call) override;
};

WorkspaceResult DirWorkspace::plan(const WorkspaceOrder& order, const Call& call) {
  return make_plan(order, call).result;
}

WorkspaceResult DirWorkspace::build(const WorkspaceOrder& order, const Call& call) {
  const Plan plan = make_plan(order, call);
  for (const std::string& path : plan.tree.skipped)
    host().log(LogLevel::kWarning, "not copied, because it is not a file, directory or link: " +
                                       plan.root + "/" + path);
  copy_tree(plan.tree, plan.root, path_of(order.directory), order.name,
            [&] { return call.cancelled(); });
  return plan.result;
}

void DirWorkspace::discard(std::string_view image, const Call&) { remove_copy(std::string(image)); }

}  // namespace slipway::dir_workspace

SLIPWAY_PLUGIN("org.slipway.dir_workspace", SLIPWAY_VERSION,
               SLIPWAY_PROVIDER(slipway::dir_workspace::DirWorkspace, "dir",
                                "copies of directories"),
               SLIPWAY_PROVIDER(slipway::dir_workspace::DirWorkspace, "file",
                                "copies of directories, as file:// URLs"))
