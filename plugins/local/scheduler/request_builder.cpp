#include "plugins/local/scheduler/request_builder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <utility>

#include "plugins/local/engine/state_layout.hpp"
#include "plugins/local/scheduler/gpus.hpp"
#include "plugins/local/scheduler/local_images.hpp"
#include "plugins/local/scheduler/log_setup.hpp"
#include "plugins/local/scheduler/port_map.hpp"
#include "plugins/local/scheduler/role_needs.hpp"
#include "plugins/local/scheduler/role_ports.hpp"
#include "sdk/support/rules/ready_probe.hpp"
#include "sdk/support/rules/role_metadata.hpp"
#include "sdk/support/rules/role_order.hpp"
#include "sdk/support/rules/role_rules.hpp"
#include "sdk/support/service_role.hpp"
#include "slipway/error.hpp"
#include "slipway/ids.hpp"
#include "slipway/role_macros.hpp"
#include "slipway/search_paths.hpp"
#include "slipway/user_namespace.hpp"

namespace slipway::local {

namespace {

constexpr const char* kRank0Env = "TORCHX_RANK0_HOST";

std::string value_of(const StrDict& env, std::string_view key) {
  const std::string* value = find(env, key);
  return value != nullptr ? *value : std::string();
}

/// Returns whether a user other than this process's and root may create files in `directory`: it
/// belongs to another user, all users may write to it (also if it is sticky), or a group other than
/// root's and the user's own may write to it. Returns false if the directory cannot be inspected.
bool others_may_write(const std::string& directory) {
  struct stat info {};
  if (::stat(directory.c_str(), &info) != 0) return false;
  if (info.st_uid != 0 && info.st_uid != ::geteuid()) return true;
  // In a user namespace one uid stands for all users outside of it, perhaps for this one also.
  if (UserNamespace::of_process().is_unmapped(info.st_uid)) return true;
  if ((info.st_mode & S_IWOTH) != 0) return true;
  return (info.st_mode & S_IWGRP) != 0 && info.st_gid != 0 && info.st_gid != ::getegid();
}

/// Returns the extra paths, the role's own PATH and the working directory, which `prepend_cwd` puts
/// first. `expand_macros` says that macros of the result will be replaced. Leaves the working
/// directory out if others may write to it: the result precedes the inherited PATH, so an `ls` that
/// another user put there would run instead of the system's.
std::string path_variable(const StrDict& env, const std::string& cwd, const LocalOptions& options,
                          bool expand_macros) {
  const auto literal = [&](const std::string& path) {
    return expand_macros ? escape_macros(path) : path;
  };
  const std::string own = value_of(env, "PATH");
  const std::string here = others_may_write(cwd) ? std::string() : literal(cwd);
  std::vector<std::string> extra;
  for (const std::string& path : options.extra_paths) extra.push_back(literal(path));
  std::vector<std::string_view> pieces;
  if (options.prepend_cwd) pieces.push_back(here);
  pieces.insert(pieces.end(), extra.begin(), extra.end());
  pieces.push_back(own);
  if (!options.prepend_cwd) pieces.push_back(here);
  return join_path(pieces);
}

/// Joins as Python's os.path.join does for a relative `below`.
std::string path_below(const std::string& directory, const std::string& below) {
  return directory.back() == '/' ? directory + below : directory + "/" + below;
}

/// Returns the working directory of a role: `of_image`, that of its image, or the caller's if
/// `of_image` is absent or empty. If the role sets `cwd`, returns that path; a relative one lies
/// below this directory.
std::string working_directory(const Role& role, const std::optional<std::string>& of_image) {
  const std::string usual = of_image && !of_image->empty() ? *of_image : current_directory();
  const std::string own = rules::own_cwd(role);
  if (own.empty()) return usual;
  return own.front() == '/' ? own : path_below(usual, own);
}

/// Sets the variables that TorchX's launcher sets for every replica. The role's own values of
/// TORCHELASTIC_ERROR_FILE and PET_LOG_DIR stay.
void set_launcher_variables(StrDict& env, const Role& role, const LaunchPlan& plan) {
  set(env, kRank0Env, std::string("localhost"));
  const std::string logs = escape_macros(plan.log_dir);
  const std::string name = escape_macros(role.name);
  if (find(env, "TORCHELASTIC_ERROR_FILE") == nullptr)
    env.emplace_back("TORCHELASTIC_ERROR_FILE",
                     logs + "/" + name + "/${replica_id}/" + std::string(kErrorFileName));
  // The directory for torchrun's own logs.
  if (find(env, "PET_LOG_DIR") == nullptr)
    env.emplace_back("PET_LOG_DIR", logs + "/torchelastic/" + name);
}

/// Reports a working directory that path_variable() leaves out.
void report_path(const std::string& role, const std::string& cwd,
                 const Scheduler::OnFinding& on_finding) {
  if (!others_may_write(cwd)) return;
  on_finding({Finding::Kind::kIgnored, role, "PATH",
              "other users may write to " + cwd +
                  ", so PATH does not contain this working directory; write ./ before its "
                  "programs"});
}

/// Returns the group of a role whose image provider leaves commands unchanged.
LaunchGroup plain_group(LaunchGroup group, const Role& role, ImageProvider& images,
                        const LocalOptions& options, const BuildContext& context,
                        const LaunchPlan& plan) {
  group.argv.push_back(images.entrypoint(group.img_root, role, context.call));
  group.argv.insert(group.argv.end(), role.args.begin(), role.args.end());
  group.cwd = working_directory(role, images.cwd(role.image, context.call));
  set(group.env, "PATH", path_variable(role.env, group.cwd, options, group.expand_macros));
  set_launcher_variables(group.env, role, plan);
  return group;
}

/// Returns the group of one replica with the command that its image provider makes.
LaunchGroup provided_replica(const LaunchGroup& group, const Role& role, ImageProvider& images,
                             const LocalOptions& options, const BuildContext& context,
                             const MacroValues& values) {
  Role replica = role;
  replica.env = group.env;
  replica = apply_macros(std::move(replica), values);
  ReplicaParam param = images.replica_param(group.img_root, replica, context.call);
  LaunchGroup out = group;
  out.expand_macros = false;
  out.argv = std::move(param.args);
  out.env = std::move(param.env);
  out.cwd = working_directory(role, param.cwd);
  set(out.env, "PATH", path_variable(out.env, out.cwd, options, out.expand_macros));
  return out;
}

/// Appends one group for the role. Appends one per replica if replicas differ in more than macros:
/// each sees other GPUs, or the image provider called `provider` makes its command.
void add_groups(LaunchPlan& plan, const Role& given, const std::string& provider,
                const LocalOptions& options, const BuildContext& context,
                const std::vector<std::string>& visible_gpus, const LeasableGpus& gpus,
                const std::vector<Dependency>& after) {
  const Role role = with_own_rendezvous(given);
  ImageProvider& images = context.images.named(provider, role.image, context.call);
  const bool plain = ImageProviders::is_own(provider);
  LaunchGroup group;
  group.role = role.name;
  group.count = role.num_replicas;
  group.expand_macros = true;
  group.rules = rules::rules_of(role);
  group.env = role.env;
  add_port_variables(group.env, role);
  group.needs = role_needs(role, options, current_directory(), context.on_finding);
  group.needs.after = after;
  group.needs.ready = rules::ready_probe(role);
  if (options.lease_gpus) add_gpu_variables(group.env, gpus, group.needs.gpus > 0);
  group.img_root = image_root(current_directory(), images.resolve(role.image, context.call));
  if (plain) {
    group = plain_group(std::move(group), role, images, options, context, plan);
    report_path(role.name, group.cwd, context.on_finding);
    if (visible_gpus.empty() && group.needs.gpus == 0) {
      if (group.count > 0) plan.groups.push_back(std::move(group));
      return;
    }
  } else {
    set_launcher_variables(group.env, role, plan);
  }
  for (std::int32_t k = 0; k < role.num_replicas; ++k) {
    LaunchGroup one = group;
    one.first_replica = k;
    one.count = 1;
    if (!visible_gpus.empty())
      set(one.env, "CUDA_VISIBLE_DEVICES", visible_gpus[static_cast<std::size_t>(k)]);
    if (!plain)
      one = provided_replica(one, role, images, options, context, macro_values(plan, one, k));
    if (!plain && k == 0) report_path(role.name, one.cwd, context.on_finding);
    plan.groups.push_back(std::move(one));
  }
}

/// Throws kInvalid if the app is too large for a record. Must run before memory is allocated for
/// each replica.
void check_size(const AppDef& app) {
  std::int64_t replicas = 0;
  for (const Role& role : app.roles) replicas += role.num_replicas;
  if (replicas <= kMaxReplicas) return;
  throw Error(Code::kInvalid, "the app has " + std::to_string(replicas) +
                                  " replicas; the local schedulers start " +
                                  std::to_string(kMaxReplicas) + " at most");
}

/// Reports an image or workspace other than the current directory, which the provider `cwd`
/// ignores.
void report_ignored_image(const AppDef& app, const Role& role, const BuildContext& context) {
  if (role.image.empty() || role.image == "." || role.image == kNoneText) return;
  const bool is_workspace = find(app.metadata, "slipway.workspace") != nullptr;
  const char* why = "replicas run in the current directory and ignore the image; ";
  context.on_finding({Finding::Kind::kIgnored, role.name, is_workspace ? "workspace" : "image",
                      std::string(why) + (is_workspace ? "-s local runs them in the copy"
                                                       : "-s local runs them in it")});
}

/// Reports a fixed port that several replicas have: only one of them can listen on it. The nodes of
/// dist.ddp (`c10d`) need one listener only.
void report_shared_ports(const Role& role, const BuildContext& context) {
  for (const auto& [name, number] : role.port_map) {
    if (number == 0 || role.num_replicas < 2 || name == "c10d") continue;
    context.on_finding({Finding::Kind::kIgnored, role.name, "port_map",
                        "all replicas run on this machine, where only one of them can listen on "
                        "port " +
                            std::to_string(number) + "; 0 gives each replica its own port"});
  }
}

/// Throws kInvalid for a probe that reads combined.log if the app has none.
void check_probes(const LaunchPlan& plan) {
  for (const LaunchGroup& group : plan.groups) {
    if (group.needs.ready.kind != ReadyProbe::Kind::kLog || plan.logs.combined) continue;
    throw Error(Code::kInvalid,
                "role \"" + group.role +
                    "\": its readiness probe of kind log contradicts log_combined=false",
                "the probe reads combined.log: leave one of them out");
  }
}

}  // namespace

std::unique_ptr<LocalRequest> build_request(const AppDef& app, const LocalOptions& options,
                                            const BuildContext& context) {
  check_size(app);
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
  plan.rules = options.rules;
  plan.logs = options.logs;
  const std::string app_dir = context.session + "/" + plan.app_id;
  plan.log_dir = options.log_dir.empty() ? path_below(context.state_root, app_dir) + "/logs"
                                         : path_below(log_dir_of_user(options.log_dir), app_dir);

  if (options.enforce == Enforce::kCgroup) plan.cgroups = find_cgroup_place();
  LeasableGpus leasable;
  if (options.lease_gpus) leasable = leasable_gpus(app);
  plan.machine_gpus = leasable.count;
  if (leasable.count > 0) plan.gpu_variables = leasable.variables;
  GpuAssignment assigned;
  if (options.auto_set_cuda_visible_devices) assigned = assign_gpus(app);
  if (!assigned.refused.empty())
    context.on_finding({Finding::Kind::kIgnored, {}, "resource.gpu", assigned.refused});
  check_services(app);
  const auto order = rules::role_order(app);
  for (std::size_t i = 0; i < app.roles.size(); ++i) {
    const std::vector<std::string> none;
    const std::string& image = app.roles[i].image;
    parts.image_providers.push_back(context.images.name_for(image, options));
    report_shared_ports(app.roles[i], context);
    if (parts.image_providers.back() == "cwd") report_ignored_image(app, app.roles[i], context);
    add_groups(plan, app.roles[i], parts.image_providers.back(), options, context,
               assigned.visible.empty() ? none : assigned.visible[i], leasable, order[i]);
  }
  set_role_variables(plan, app);
  fill_port_macros(plan);
  if (options.chooses_pipes) plan.logs.pipes = needs_pipes(plan);
  check_probes(plan);
  return std::make_unique<LocalRequest>(std::move(parts));
}

}  // namespace slipway::local
