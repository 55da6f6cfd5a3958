#include "plugins/slurm/script/slurm_options.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>

#include "slipway/error.hpp"

namespace slipway::slurm {

namespace {

using Names = std::span<const std::string_view>;
// Options that users cannot give, because Slipway sets them or needs their defaults.
constexpr std::string_view kDecidedForSbatch[] = {
    "parsable", "wrap",    "job-name", "output",  "error",      "open-mode",
    "array",    "comment", "wait",     "requeue", "no-requeue", "test-only"};
constexpr std::string_view kDecidedForSrun[] = {
    "output", "error", "open-mode",        "export", "het-group",
    "ntasks", "nodes", "kill-on-bad-exit", "wait",   "multi-prog"};

// The long names of the options of sbatch and srun, also of versions after 22.05. They serve only
// to recognize abbreviations; a name that is not here may be that of a later version.
constexpr std::string_view kLongNames =
    " accel-bind account acctg-freq array async autocomplete batch bb bbf bcast bcast-exclude begin"
    " chdir cluster-constraint clusters comment compress consolidate-segments constraint container"
    " container-id contiguous core-spec cores-per-socket cpu-bind cpu-freq cpus-per-gpu"
    " cpus-per-task deadline debugger-test delay-boot dependency disable-status distribution epilog"
    " error exact exclude exclusive export export-file external external-launcher extra"
    " extra-node-info get-user-env gid gpu-bind gpu-freq gpus gpus-per-node gpus-per-socket"
    " gpus-per-task gres gres-flags help het-group hint hold ignore-pbs ignore-signals immediate"
    " input interactive job-name jobid kill-on-bad-exit kill-on-invalid-dep label licenses"
    " mail-type mail-user mcs-label mem mem-bind mem-per-cpu mem-per-gpu mincpus mpi msg-timeout"
    " multi-prog network nice no-allocate no-kill no-requeue nodefile nodelist nodes ntasks"
    " ntasks-per-core ntasks-per-gpu ntasks-per-node ntasks-per-socket ntasks-per-tres"
    " oom-kill-step open-mode output overcommit overlap oversubscribe parsable partition power"
    " prefer preserve-env priority profile prolog propagate pty qos quiet quit-on-interrupt reboot"
    " relative requeue reservation resources resv-ports segment send-libs signal slurmd-debug"
    " sockets-per-node spread-job spread-segments stepmgr switches task-epilog task-prolog"
    " test-only thread-spec threads threads-per-core time time-min tmp treewidth tres-bind"
    " tres-per-task uid unbuffered usage use-min-nodes verbose version wait wait-all-nodes"
    " wait-for-children wckey whole wrap x11 ";

// Other names of options, which --help does not print, and the names that it prints.
constexpr std::pair<std::string_view, std::string_view> kOldNames[] = {
    {"cluster", "clusters"}, {"pack-group", "het-group"}, {"tasks-per-node", "ntasks-per-node"}};

/// Returns an option that begins with `name`, and that sbatch or srun may therefore use for it.
/// Returns an empty text if `name` is the whole name of an option, or the beginning of none.
std::string_view abbreviated_option(const std::string& name) {
  const std::size_t at = kLongNames.find(" " + name);
  if (at == std::string_view::npos || kLongNames.find(" " + name + " ") != std::string_view::npos)
    return {};
  const std::string_view rest = kLongNames.substr(at + 1);
  return rest.substr(0, rest.find(' '));
}

/// Throws Error kInvalid for a control character: a newline would end the #SBATCH line, and no
/// option needs any other one. `what` names the value in the message.
void refuse_control_characters(std::string_view value, const std::string& what) {
  if (std::any_of(value.begin(), value.end(),
                  [](char c) { return static_cast<unsigned char>(c) < ' '; })) {
    throw Error(Code::kInvalid, what + " holds a newline or another control character");
  }
}

/// Returns the value of a text option; nullopt if it is not given. Throws Error kInvalid for a
/// control character.
std::optional<std::string> text_option(const Cfg& cfg, const char* name) {
  const Value* value = cfg.find(name);
  const auto* text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
  if (text == nullptr) return std::nullopt;
  refuse_control_characters(*text, "run option " + std::string(name));
  return *text;
}

bool is_option_name(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return !name.empty() && name.front() != '-' &&
         name.find_first_not_of(kLetters) == std::string_view::npos;
}

/// Returns the options in `sbatch` or `srun`. Throws Error kInvalid for names that are not options,
/// for options that Slipway decides, for abbreviations and old names, which would get around that
/// rule and the limits of the site, and for control characters.
StrDict other_options(const Cfg& cfg, const char* command, Names decided_here) {
  const std::string which = "run option " + std::string(command) + ": ";
  StrDict out = cfg.dict(command);
  for (const auto& [name, value] : out) {
    if (!is_option_name(name)) {
      throw Error(Code::kInvalid, which + "'" + name + "' is not an option of " + command,
                  "write the long name without dashes, as in sbatch=exclude:n7");
    }
    for (const auto& [old_name, current] : kOldNames) {
      if (name == old_name) {
        throw Error(Code::kInvalid,
                    which + "'" + name + "' is an old name of " + std::string(current),
                    "write " + std::string(current));
      }
    }
    if (const std::string_view whole = abbreviated_option(name); !whole.empty()) {
      throw Error(Code::kInvalid, which + "'" + name + "' abbreviates " + std::string(whole),
                  "write the whole name of the option");
    }
    if (std::find(decided_here.begin(), decided_here.end(), name) != decided_here.end()) {
      throw Error(Code::kInvalid,
                  which + "--" + name + " is decided by Slipway and cannot be given",
                  declared_options().get(name) != nullptr ? "use the run option " + name
                                                          : std::string("leave it out"));
    }
    refuse_control_characters(value, which + "the value of " + name);
  }
  return out;
}

/// Sets an option that was not given to the value of the environment variable. Throws Error
/// kInvalid for a control character.
void fill_in(std::optional<std::string>& option, const char* variable) {
  const char* value = std::getenv(variable);
  if (option || value == nullptr || *value == '\0') return;
  refuse_control_characters(value, "the environment variable " + std::string(variable));
  option = value;
}

void fill_in(StrDict& options, const char* name, const char* variable) {
  if (find(options, name) != nullptr) return;
  std::optional<std::string> value;
  fill_in(value, variable);
  if (value) set(options, name, *value);
}

}  // namespace

RunOpts declared_options() {
  const Value none = std::monostate{};
  return {
      {"partition", ValueType::kStr, "partition to run in; without it the cluster's default", false,
       none},
      {"time", ValueType::kStr,
       "longest time that the job may run: minutes, HH:MM:SS, or D-HH:MM:SS", false, none},
      {"comment", ValueType::kStr, "comment to put on the job", false, none},
      {"constraint", ValueType::kStr, "features that the nodes must have, as `sbatch --constraint`",
       false, none},
      {"mail-user", ValueType::kStr, "recipient of mail about the job", false, none},
      {"mail-type", ValueType::kStr, "what to mail about: BEGIN, END, FAIL, ALL, ...", false, none},
      {"job_dir", ValueType::kStr,
       "existing directory, shared by all nodes, that the job runs in and leaves its logs in; "
       "without it the job runs where it was submitted and its logs are kept with Slipway's state",
       false, none, OptMeaning::kWorkspaceDir},
      {"qos", ValueType::kStr, "quality of service to ask for", false, none},
      {"account", ValueType::kStr, "account to charge", false, none},
      {"reservation", ValueType::kStr, "reservation to take the nodes from", false, none},
      {"nomem", ValueType::kBool,
       "do not ask for memory; set automatically where a partition does not track memory", false,
       false},
      {"array", ValueType::kBool,
       "submit an app of one role as a job array: replicas are scheduled, and retried, one by one",
       false, false},
      {"het_per_replica", ValueType::kBool,
       "one component of a heterogeneous job for each replica, as TorchX submits; otherwise one "
       "for each role",
       false, false},
      {"fail_fast", ValueType::kBool,
       "end all replicas as soon as one has failed; otherwise the others run on", false, false},
      {"requeue", ValueType::kBool,
       "let Slurm start the job again after a failure of a node, also where max_retries is 0",
       false, false},
      {"sbatch", ValueType::kDict,
       "any other options of sbatch, as in sbatch=exclude:n7;exclusive:", false, none},
      {"srun", ValueType::kDict,
       "any other options of srun, as in srun=mpi:pmix;input:/data/in.txt", false, none},
  };
}

SlurmOptions read_options(const Cfg& cfg) {
  SlurmOptions out;
  out.partition = text_option(cfg, "partition");
  out.time = text_option(cfg, "time");
  out.constraint = text_option(cfg, "constraint");
  out.qos = text_option(cfg, "qos");
  out.account = text_option(cfg, "account");
  out.reservation = text_option(cfg, "reservation");
  out.comment = text_option(cfg, "comment");
  out.mail_user = text_option(cfg, "mail-user");
  out.mail_type = text_option(cfg, "mail-type");
  out.job_dir = text_option(cfg, "job_dir");
  out.nomem = cfg.boolean("nomem");
  out.array = cfg.boolean("array");
  out.het_per_replica = cfg.boolean("het_per_replica");
  out.fail_fast = cfg.boolean("fail_fast");
  out.requeue = cfg.boolean("requeue");
  out.sbatch = other_options(cfg, "sbatch", kDecidedForSbatch);
  out.srun = other_options(cfg, "srun", kDecidedForSrun);
  fill_in(out.partition, "SBATCH_PARTITION");
  fill_in(out.time, "SBATCH_TIMELIMIT");
  fill_in(out.constraint, "SBATCH_CONSTRAINT");
  fill_in(out.qos, "SBATCH_QOS");
  fill_in(out.account, "SBATCH_ACCOUNT");
  fill_in(out.reservation, "SBATCH_RESERVATION");
  // The limits of the site do not bind the next three: the host has checked the options before
  // this call. An option above is always given if the site limits it: otherwise the host refuses
  // the run.
  fill_in(out.sbatch, "export", "SBATCH_EXPORT");
  fill_in(out.sbatch, "wckey", "SBATCH_WCKEY");
  fill_in(out.sbatch, "gres", "SBATCH_GRES");
  if (out.array && out.het_per_replica) {
    throw Error(Code::kInvalid, "the run options array and het_per_replica exclude each other",
                "Slurm has no arrays of heterogeneous jobs");
  }
  return out;
}

}  // namespace slipway::slurm
