#include "plugins/local/scheduler/request_builder.hpp"

#include <utility>

#include "plugins/local/scheduler/gpu_assignment.hpp"
#include "plugins/local/scheduler/local_images.hpp"
#include "slipway/ids.hpp"
#include "slipway/search_paths.hpp"

namespace slipway::local {

namespace {

constexpr const char* kRank0Env = "TORCHX_RANK0_HOST";

std::string value_of(const StrDict& env, std::string_view key) {
  const std::string* value = find(env, key);
  return value != nullptr ? *value : std::string();
}

/// The role's PATH, the extra paths and the working directory, in the order that `prepend_cwd` asks for.
std::string replica_path(const Role& role, const std::string& cwd, const LocalOptions& options) {
  const std::string own = value_of(role.env, "PATH");
  const std::string here = escape_macros(cwd);
  std::vector<std::string> extra;
  for (const std::string& path : options.extra_paths) extra.push_back(escape_macros(path));
  std::vector<std::string_view> pieces;
  if (options.prepend_cwd) pieces.push_back(here);
  pieces.push_back(own);
  pieces.insert(pieces.end(), extra.begin(), extra.end());
  if (!options.prepend_cwd) pieces.push_back(here);
  return join_path(pieces);
}

/// As Python's os.path.join for a relative `below`.
std::string joined(const std::string& directory, const std::string& below) {
  return directory.back() == '/' ? directory + below : directory + "/" + below;
}

RoleRules rules_of(const Role& role) {
  RoleRules rules;
  rules.max_retries = role.max_retries;
  rules.scope = role.retry_policy == RetryPolicy::kReplica ? RetryScope::kReplica
                : role.retry_policy == RetryPolicy::kRole  ? RetryScope::kRole
                                                           : RetryScope::kApplication;
  rules.min_replicas = role.min_replicas.value_or(0);
  return rules;
}

LaunchGroup group_of(const Role& role, const LaunchPlan& plan, const LocalOptions& options,
                     const BuildContext& context) {
  LaunchGroup group;
  group.role = role.name;
  group.count = role.num_replicas;
  group.expand_macros = true;
  group.rules = rules_of(role);
  group.img_root = context.images.resolve(role.image, context.call);
  group.argv.push_back(context.images.entrypoint(group.img_root, role));
  group.argv.insert(group.argv.end(), role.args.begin(), role.args.end());
  group.cwd = context.images.cwd(role.image).value_or(current_directory());
  group.env = role.env;
  set(group.env, "PATH", replica_path(role, group.cwd, options));
  set(group.env, kRank0Env, std::string("localhost"));
  const std::string logs = escape_macros(plan.log_dir);
  const std::string name = escape_macros(role.name);
  if (find(group.env, "TORCHELASTIC_ERROR_FILE") == nullptr) {
    group.env.emplace_back("TORCHELASTIC_ERROR_FILE",
                           logs + "/" + name + "/${replica_id}/error.json");
  }
  if (find(group.env, "PET_LOG_DIR") == nullptr) {
    group.env.emplace_back("PET_LOG_DIR", logs + "/torchelastic/" + name);
  }
  return group;
}

/// Appends one group per role, or one per replica where each sees GPUs of its own.
void add_groups(LaunchPlan& plan, LaunchGroup group, const std::vector<std::string>& visible_gpus) {
  if (visible_gpus.empty()) {
    if (group.count > 0) plan.groups.push_back(std::move(group));
    return;
  }
  for (std::size_t k = 0; k < visible_gpus.size(); ++k) {
    LaunchGroup one = group;
    one.first_replica = static_cast<std::int32_t>(k);
    one.count = 1;
    set(one.env, "CUDA_VISIBLE_DEVICES", visible_gpus[k]);
    plan.groups.push_back(std::move(one));
  }
}

void report_ignored(const Role& role, const Scheduler::OnFinding& on_finding) {
  const auto ignored = [&](const char* field, const char* why) {
    on_finding({Finding::Kind::kIgnored, role.name, field, why});
  };
  if (role.resource.cpu > 0 || role.resource.mem_mb > 0) {
    ignored("resource", "CPU and memory are shared, not reserved, on this machine");
  }
  if (!role.mounts.empty()) ignored("mounts", "replicas see this machine's files as they are");
  if (!role.port_map.empty()) ignored("port_map", "replicas use this machine's ports directly");
}

}  // namespace

std::unique_ptr<LocalRequest> build_request(const AppDef& app, const LocalOptions& options,
                                            const BuildContext& context) {
  LocalRequest::Parts parts;
  parts.app = app;
  parts.options = options;
  parts.base_dir = current_directory();
  LaunchPlan& plan = parts.plan;
  plan.app_id = make_unique_id(app.name);
  plan.app_name = app.name;
  plan.session = context.session;
  plan.scheduler = context.scheduler;
  plan.rank0_env = kRank0Env;
  plan.grace_ms = options.grace_ms;
  plan.rules = options.rules;
  const std::string app_dir = context.session + "/" + plan.app_id;
  plan.log_dir = options.log_dir.empty() ? joined(context.state_root, app_dir) + "/logs"
                                         : joined(options.log_dir, app_dir);

  GpuAssignment gpus;
  if (options.auto_set_cuda_visible_devices) gpus = assign_gpus(app, count_gpus());
  if (!gpus.refused.empty())
    context.on_finding({Finding::Kind::kIgnored, {}, "resource.gpu", gpus.refused});
  for (std::size_t i = 0; i < app.roles.size(); ++i) {
    report_ignored(app.roles[i], context.on_finding);
    const std::vector<std::string> none;
    add_groups(plan, group_of(app.roles[i], plan, options, context),
               gpus.visible.empty() ? none : gpus.visible[i]);
  }
  return std::make_unique<LocalRequest>(std::move(parts));
}

}  // namespace slipway::local
