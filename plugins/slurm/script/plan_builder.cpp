#include "plugins/slurm/script/plan_builder.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "plugins/slurm/script/batch_script.hpp"
#include "plugins/slurm/script/resource_options.hpp"
#include "plugins/slurm/script/sbatch_lines.hpp"
#include "plugins/slurm/script/text_places.hpp"
#include "plugins/slurm/script/time_limit.hpp"
#include "sdk/support/plain_number.hpp"
#include "sdk/support/port_macros.hpp"
#include "sdk/support/service_role.hpp"
#include "slipway/error.hpp"
#include "slipway/role_macros.hpp"

namespace slipway::slurm {

namespace {

/// The options of sbatch that hold for a whole job: its first component alone has them. All
/// components have the other options that the user gave in `sbatch`.
constexpr std::array<std::string_view, 8> kOncePerJob = {
    "begin", "chdir", "deadline", "dependency", "export", "hold", "nice", "priority"};

void add_if(JobOptions& out, const char* name, const std::optional<std::string>& value) {
  if (value) out.emplace_back(name, *value);
}

/// Returns the partition that the job asks for, if it names one.
std::optional<std::string> partition_of(const SlurmOptions& options) {
  const std::string* given = find(options.sbatch, "partition");
  return given != nullptr && !given->empty() ? *given : options.partition;
}

/// Returns the facts that hold for the job. Leaves out the facts about partitions and arrays if the
/// job may run on another cluster.
ClusterFacts facts_for(const SlurmOptions& options, ClusterFacts facts) {
  if (find(options.sbatch, "clusters") == nullptr) return facts;
  facts.partitions = Partitions();
  facts.max_array_size.reset();
  return facts;
}

JobOptions sbatch_options(const Role& role, const JobPlan& plan, const SlurmOptions& options,
                          const ClusterFacts& facts, bool is_first) {
  const Shape shape = plan.shape;
  JobOptions out;
  // Without --no-requeue, Slurm would start the job again after a failure of a node.
  const bool may_restart = plan.max_retries > 0 || options.requeue;
  out.emplace_back(may_restart ? "requeue" : "no-requeue", std::nullopt);
  add_if(out, "partition", options.partition);
  add_if(out, "time", time_limit(role, options.time));
  add_if(out, "constraint", options.constraint);
  add_if(out, "qos", options.qos);
  add_if(out, "account", options.account);
  add_if(out, "reservation", options.reservation);
  const bool memory = !options.nomem && facts.partitions.tracks_memory(partition_of(options));
  for (auto& option : resource_options(role, shape, facts.version, memory))
    out.push_back(std::move(option));
  for (const auto& [name, value] : options.sbatch) {
    const bool once = std::find(kOncePerJob.begin(), kOncePerJob.end(), name) != kOncePerJob.end();
    if (once && !is_first) continue;
    set(out, name, value.empty() ? std::nullopt : std::optional<std::string>(value));
  }
  return out;
}

/// Returns the name of a log file, "slurm-${app_id}-trainer-0.out".
std::string log_name(const std::string& role, const std::string& replica, const char* suffix) {
  return "slurm-" + std::string(kAppIdPlace) + "-" + file_pattern(file_name_of(role)) + "-" +
         replica + suffix;
}

JobOptions srun_options(const JobPlan& plan, const Role& role, std::int32_t replica) {
  const Shape shape = plan.shape;
  JobOptions out;
  // In the shape kRoles, tasks open their logs themselves: in a heterogeneous job, Slurm 24.11
  // counts %t from -1.
  if (shape != Shape::kRoles) {
    const std::string id =
        shape == Shape::kReplicas ? std::to_string(replica) : std::string(kReplicaIdPlace);
    out.emplace_back("output", log_name(role.name, id, ".out"));
    out.emplace_back("error", log_name(role.name, id, ".err"));
  }
  // The seconds that srun waits for other tasks after the end of the first one; 0: without a limit.
  // Without the option, a site's default may end the other tasks of the step. 60 is TorchX's value.
  out.emplace_back("wait", shape == Shape::kReplicas ? "60" : "0");
  // In the shape kRoles, the script computes the value itself (job_steps.cpp), because a replica
  // that fails also ends the others if a retry follows; only a request as JSON shows this value.
  out.emplace_back("kill-on-bad-exit", shape != Shape::kRoles || plan.fail_fast ? "1" : "0");
  // An elastic role has one task on each node that it gets.
  if (shape == Shape::kRoles && is_elastic(role)) out.emplace_back("ntasks-per-node", "1");
  return out;
}

[[noreturn]] void refuse_macro(const Role& role, const PortMacro& macro, const std::string& why,
                               const std::string& hint) {
  throw Error(Code::kInvalid, "role " + role.name + ": " + std::string(macro.written) + ": " + why,
              hint);
}

/// Returns the number of the part that runs replica 0 of a role.
std::size_t first_part(const AppDef& app, const Role& role, Shape shape) {
  std::size_t part = 0;
  for (const Role& one : app.roles) {
    if (&one == &role) break;
    part += shape == Shape::kReplicas ? static_cast<std::size_t>(one.num_replicas) : 1;
  }
  return part;
}

/// Returns the role with its macros of ports and hosts replaced, and notes the hosts in `plan`.
/// Throws Error kInvalid for a port that is 0, because Slipway does not choose ports on other
/// nodes.
Role with_ports(Role role, const AppDef& app, JobPlan& plan) {
  const auto value = [&](const PortMacro& macro) -> std::optional<std::string> {
    const std::string_view name = macro.role.empty() ? std::string_view(role.name) : macro.role;
    const auto other = std::find_if(app.roles.begin(), app.roles.end(),
                                    [&](const Role& one) { return one.name == name; });
    if (other == app.roles.end()) return std::nullopt;
    if (!macro.port.empty()) {
      const std::int64_t* port = find(other->port_map, macro.port);
      if (port == nullptr) return std::nullopt;
      if (*port != 0) return std::to_string(*port);
      refuse_macro(role, macro, "the port is 0, and nothing chooses a free port on another node",
                   "give the port a number");
    }
    if (plan.shape == Shape::kArray) {
      refuse_macro(role, macro, "the replicas of an array do not run together",
                   "leave the run option array out");
    }
    const std::size_t part = first_part(app, *other, plan.shape);
    plan.hosts.insert(part);
    return host_place(part);
  };
  each_port_macro_text(role, [&](std::string& text) { text = replace_port_macros(text, value); });
  return role;
}

/// Returns the component that runs the replicas `first` to `first + count - 1` of a role.
JobPart part_of(const Role& given, const AppDef& app, JobPlan& plan, std::int32_t first,
                std::int32_t count) {
  const Role role = with_ports(given, app, plan);
  const Shape shape = plan.shape;
  MacroValues values;
  values.img_root = role.image;
  values.app_id = kAppIdPlace;
  values.replica_id =
      shape == Shape::kReplicas ? std::to_string(first) : std::string(kReplicaIdPlace);
  values.rank0_env = rank0_variable(shape);
  const Role filled = apply_macros(role, values);

  JobPart out;
  out.name = shape == Shape::kReplicas ? role.name + "-" + std::to_string(first) : role.name;
  out.role = role.name;
  out.first = first;
  out.count = count;
  out.entrypoint = role.entrypoint;
  out.args = filled.args;
  out.env = filled.env;
  out.cpus = std::max(role.resource.cpu.whole(), 0);
  out.service = is_service(role);
  out.srun = srun_options(plan, role, first);
  return out;
}

/// Adds a part. Replaces a part of the same name, as TorchX's dictionaries do.
void put_part(std::vector<JobPart>& parts, JobPart part) {
  for (JobPart& known : parts) {
    if (known.name != part.name) continue;
    known = std::move(part);
    return;
  }
  parts.push_back(std::move(part));
}

/// Throws Error kInvalid if every role is a service, or if an app with services would become a
/// single step, in which services cannot end after the other roles.
void check_shape(const AppDef& app, Shape shape) {
  check_services(app);
  if (shape != Shape::kReplicas) return;
  for (const Role& role : app.roles) {
    if (!is_service(role)) continue;
    throw Error(Code::kInvalid,
                "role " + role.name +
                    " is a service, and het_per_replica puts all roles into one step that ends "
                    "as a whole",
                "leave the run option het_per_replica out");
  }
}

void check_array(const AppDef& app, const ClusterFacts& facts) {
  if (app.roles.size() != 1) {
    throw Error(Code::kInvalid,
                "an app of " + std::to_string(app.roles.size()) + " roles cannot be a job array",
                "leave the run option array out: the roles become one heterogeneous job");
  }
  const std::int64_t count = app.roles.front().num_replicas;
  if (facts.max_array_size && count > *facts.max_array_size) {
    throw Error(Code::kInvalid,
                std::to_string(count) + " replicas are more than a job array may have here (" +
                    std::to_string(*facts.max_array_size) + ", the cluster's MaxArraySize)",
                "leave the run option array out, or split the app");
  }
}

/// Returns the smallest number of nodes that the component asks for: 2 for "2" and "2-4". Returns 1
/// for other forms, which the user may have given.
std::int64_t least_nodes(const JobPart& part) {
  const auto* nodes = find(part.sbatch, "nodes");
  if (nodes == nullptr || !*nodes) return 1;
  std::string_view text = **nodes;
  const auto least = take_plain_number<std::int64_t>(text);
  return least && (text.empty() || text.front() == '-') ? *least : 1;
}

/// Throws Error kInvalid if the partition has fewer nodes than the job needs: Slurm gives each
/// component of a heterogeneous job nodes of its own.
void check_nodes(const JobPlan& plan, const SlurmOptions& options, const ClusterFacts& facts) {
  if (plan.shape == Shape::kArray) return;
  const auto partition = partition_of(options);
  const auto nodes = facts.partitions.nodes(partition);
  std::int64_t needed = 0;
  for (const JobPart& part : plan.parts) needed += least_nodes(part);
  if (!nodes || needed <= *nodes) return;
  const bool is_per_replica = plan.shape == Shape::kReplicas;
  throw Error(
      Code::kInvalid,
      "the app needs at least " + std::to_string(needed) + " nodes, and the partition " +
          partition.value_or("that is the default") + " has " + std::to_string(*nodes) +
          ": Slurm gives each " + (is_per_replica ? "replica" : "role") + " nodes of its own",
      is_per_replica ? "choose a larger partition, or leave the run option het_per_replica out"
                     : "choose a larger partition, or put what may share a node into one role");
}

/// Throws Error kInvalid if the commands and variables of all replicas are too long together. srun
/// gets the functions of all components as variables, and Linux limits arguments and variables
/// together to a quarter of the stack limit, which is 8 MiB nearly everywhere. The limit of sbatch,
/// 4 MiB for a script, is larger.
void check_total_size(const JobPlan& plan) {
  constexpr std::size_t kMostBytes = std::size_t{2048 - 128} * 1024;  // the rest: other variables
  constexpr std::size_t kIndentation = 4;  // bash indents each line of an exported function
  const std::string script = batch_script(plan);
  const auto lines = static_cast<std::size_t>(std::count(script.begin(), script.end(), '\n'));
  const std::size_t size = script.size() + lines * kIndentation;
  if (size <= kMostBytes) return;
  throw Error(Code::kInvalid,
              "the arguments and environments of all " + std::to_string(plan.parts.size()) +
                  " parts of the job take " + std::to_string(size) +
                  " bytes together, and a Slurm job gets at most " + std::to_string(kMostBytes),
              "put them into files that the nodes share, and pass their names");
}

/// Throws Error kInvalid if a replica's command and variables are too long. They reach the replica
/// as one variable, whose length Linux limits.
void check_size(const JobPart& part) {
  constexpr std::size_t kMostBytes = 128 * 1024 - 2048;      // the rest: the function around them
  constexpr std::size_t kExport = sizeof "    export =;\n";  // more than a variable adds
  std::size_t size = bash_word(part.entrypoint).size();
  for (const std::string& arg : part.args) size += bash_word(arg).size() + 1;
  for (const auto& [name, value] : part.env)
    size += bash_word(name).size() + bash_word(value).size() + kExport;
  if (size <= kMostBytes) return;
  throw Error(Code::kInvalid,
              "role " + part.role + ": its arguments and environment take " + std::to_string(size) +
                  " bytes, five of them for each quote; a replica of a Slurm job gets at most " +
                  std::to_string(kMostBytes),
              "put them into a file that the nodes share, and pass its name");
}

/// Returns whether the role uses `${rank0_env}`.
bool mentions_rank0(const Role& role) {
  const auto mentions = [](const std::string& text) {
    return text.find("rank0_env") != std::string::npos;
  };
  return std::any_of(role.args.begin(), role.args.end(), mentions) ||
         std::any_of(role.env.begin(), role.env.end(),
                     [&](const auto& entry) { return mentions(entry.second); });
}

/// Reports the fields of the role that the job will ignore. `has_gres`: the run options ask for
/// generic resources, which are Slurm's form of devices.
void report_findings(const Role& role, Shape shape, bool has_gres,
                     const Scheduler::OnFinding& on_finding) {
  if (!on_finding) return;
  const auto ignored = [&](const char* field, const char* why) {
    on_finding({Finding::Kind::kIgnored, role.name, field, why});
  };
  if (!role.mounts.empty()) ignored("mounts", "replicas see the file systems of their node");
  if (!role.port_map.empty()) ignored("port_map", "replicas have the network of their node");
  if (!role.resource.devices.empty() && !has_gres)
    ignored("resource.devices", "ask for them with the run option sbatch=gres:NAME:COUNT");
  if (role.min_replicas && shape != Shape::kRoles) {
    ignored("min_replicas", shape == Shape::kArray
                                ? "the replicas of an array start one by one anyway"
                                : "each replica is a component, and all components start together");
  }
  if (role.max_retries > 0) {
    const RetryPolicy supported =
        shape == Shape::kArray ? RetryPolicy::kReplica : RetryPolicy::kApplication;
    if (role.retry_policy != supported) {
      ignored("retry_policy", shape == Shape::kArray
                                  ? "a replica of an array is requeued by itself, as with REPLICA"
                                  : "a job is requeued as a whole, as with APPLICATION");
    }
  }
  if (shape == Shape::kArray && mentions_rank0(role))
    ignored("args", "${rank0_env}: the replicas of an array do not run together");
}

}  // namespace

std::vector<AppField> acted_on(const SlurmOptions& options) {
  // By field: empty, or the change of options with which the scheduler would act on the field.
  const char* const not_array = options.array ? "without -c array=true" : "";
  return {
      {"image", ""},
      {"min_replicas", options.het_per_replica ? "without -c het_per_replica=true" : not_array},
      {"max_retries", ""},
      {"retry_policy.APPLICATION", not_array},
      {"retry_policy.REPLICA", options.array ? "" : "with -c array=true"},
      {"resource.cpu", ""},
      {"resource.gpu", ""},
      {"resource.memMB", options.nomem ? "without -c nomem=true" : ""},
      {"resource.devices",
       find(options.sbatch, "gres") != nullptr ? "" : "with -c sbatch.gres=..."},
      {"resource.tags", ""},
      {"metadata", ""},
      {"macros", ""},
      {"service", ""},
      {"timeout_s", find(options.sbatch, "time") == nullptr ? "" : "without -c sbatch.time"},
      {"app.metadata", ""},
  };
}

const char* rank0_variable(Shape shape) {
  return shape == Shape::kReplicas ? "SLURM_JOB_NODELIST_HET_GROUP_0" : "SLIPWAY_RANK0_HOST";
}

JobPlan build_plan(const AppDef& app, const SlurmOptions& options, const ClusterFacts& cluster,
                   const PlanPlace& place, const Scheduler::OnFinding& on_finding) {
  if (app.roles.empty()) throw Error(Code::kInvalid, "the app has no roles");
  const ClusterFacts facts = facts_for(options, cluster);
  if (options.array) check_array(app, facts);

  JobPlan out;
  out.shape = options.array             ? Shape::kArray
              : options.het_per_replica ? Shape::kReplicas
                                        : Shape::kRoles;
  check_shape(app, out.shape);
  out.app_name = app.name;
  out.session = place.session;
  out.mark = place.mark;
  out.job_dir = options.job_dir;
  out.record_dir = place.state_root + "/" + place.mark;
  out.log_dir = options.job_dir ? *options.job_dir : out.record_dir;
  // As in TorchX, these three options are on the command line, and not in the script.
  out.command = {"sbatch", "--parsable"};
  if (options.comment)
    out.command.push_back(option_text("comment", marked_comment(options.comment, out.mark)));
  if (options.mail_type) out.command.push_back(option_text("mail-type", options.mail_type));
  if (options.mail_user) out.command.push_back(option_text("mail-user", options.mail_user));

  out.fail_fast = options.fail_fast;
  for (const auto& [name, value] : options.srun)
    out.srun_options.emplace_back(name, value.empty() ? std::nullopt : std::optional(value));
  out.max_retries = app.roles.front().max_retries;
  for (const Role& role : app.roles) out.max_retries = std::min(out.max_retries, role.max_retries);
  for (const Role& role : app.roles) {
    report_findings(role, out.shape, find(options.sbatch, "gres") != nullptr, on_finding);
    const std::int32_t step = out.shape == Shape::kReplicas ? 1 : role.num_replicas;
    for (std::int32_t first = 0; first < role.num_replicas; first += step) {
      JobPart part = part_of(role, app, out, first, step);
      if (first == 0) check_size(part);  // the role's other replicas get nearly the same texts
      part.sbatch = sbatch_options(role, out, options, facts, out.parts.empty());
      put_part(out.parts, std::move(part));
    }
  }
  check_nodes(out, options, facts);
  check_total_size(out);
  return out;
}

}  // namespace slipway::slurm
