#include "plugins/local/supervisor/spawning/replica_program.hpp"

#include "plugins/local/engine/private_mounts.hpp"
#include "plugins/local/supervisor/spawning/replica_recipe.hpp"

namespace slipway::local {
namespace {

constexpr char kDefaultPath[] = "/bin:/usr/bin";  // execvp's, without PATH

}  // namespace

std::string replica_path(const LaunchPlan& plan, const LaunchGroup& group, std::int32_t replica) {
  std::string path;
  return replica_variable(plan, group, replica, "PATH", path) ? path : kDefaultPath;
}

FoundProgram find_inside(const LaunchGroup& group, const std::string& path) {
  const std::vector<BindMount>& mounts = group.needs.mounts;
  if (mounts.empty()) return find_program(group.argv[0], group.cwd, path);
  FoundProgram found =
      find_program(outside_path(mounts, group.argv[0]), outside_path(mounts, group.cwd), path);
  if (group.argv[0].front() == '/') found.path = group.argv[0];
  return found;
}

}  // namespace slipway::local
