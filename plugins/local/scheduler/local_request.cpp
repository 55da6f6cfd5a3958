#include "plugins/local/scheduler/local_request.hpp"

#include <filesystem>

#include "sdk/support/absolute_path.hpp"
#include "slipway/dict.hpp"
#include "slipway/macros.hpp"

namespace slipway::local {

namespace {

/// Returns the text as the replica gets it.
std::string expanded(const LaunchGroup& group, const MacroValues& values, const std::string& text) {
  return group.expand_macros ? substitute_macros(text, values) : text;
}

/// Replaces the working directory in PATH, where the request has it at one of the ends.
void replace_in_path(StrDict& env, const std::string& given, const std::string& absolute) {
  const std::string* const path = find(env, "PATH");
  if (path == nullptr) return;
  if (*path == given) return set(env, "PATH", absolute);
  if (path->starts_with(given + ":"))
    return set(env, "PATH", absolute + path->substr(given.size()));
  if (path->ends_with(":" + given))
    set(env, "PATH", path->substr(0, path->size() - given.size()) + absolute);
}

}  // namespace

std::string absolute_path(const std::string& base, const std::string& dir) {
  return normal_path(std::filesystem::path(base) / dir).string();
}

std::string image_root(const std::string& base, const std::string& root) {
  return std::filesystem::path(root).is_absolute() ? root : absolute_path(base, root);
}

void LocalRequest::each_replica(const OnReplica& use, const std::string* role) const {
  for (const LaunchGroup& group : parts_.plan.groups) {
    if (role != nullptr && group.role != *role) continue;
    for (std::int32_t k = 0; k < group.count; ++k) {
      const std::int32_t replica = group.first_replica + k;
      const MacroValues values = macro_values(parts_.plan, group, replica);
      ReplicaCommand command;
      command.args.reserve(group.argv.size());
      command.args.push_back(group.argv.front());
      for (std::size_t i = 1; i < group.argv.size(); ++i) {
        command.args.push_back(expanded(group, values, group.argv[i]));
      }
      for (const auto& [key, value] : group.env)
        command.env.emplace_back(key, expanded(group, values, value));
      command.cwd = group.cwd;
      command.log_dir = parts_.plan.log_dir + "/" + group.role + "/" + std::to_string(replica);
      use(group, replica, command);
    }
  }
}

LaunchPlan LocalRequest::absolute_plan() const {
  LaunchPlan plan = parts_.plan;
  plan.log_dir = absolute_path(parts_.base_dir, plan.log_dir);
  for (LaunchGroup& group : plan.groups) {
    const auto literal = [&](const std::string& text) {
      return group.expand_macros ? escape_macros(text) : text;
    };
    const std::string cwd = absolute_path(parts_.base_dir, group.cwd);
    // A replica starts in `cwd`, where a relative path leads to another place.
    if (group.cwd != cwd) replace_in_path(group.env, literal(group.cwd), literal(cwd));
    group.cwd = cwd;
    // Two variables name places below the log directory, which may have been relative.
    const std::string given = literal(parts_.plan.log_dir + "/");
    for (auto& [key, value] : group.env) {
      if (key != "TORCHELASTIC_ERROR_FILE" && key != "PET_LOG_DIR") continue;
      if (value.compare(0, given.size(), given) == 0) {
        value = literal(plan.log_dir + "/") + value.substr(given.size());
      }
    }
  }
  return plan;
}

}  // namespace slipway::local
