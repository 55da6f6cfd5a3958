#include "plugins/local/supervisor/probing/probe_command.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "plugins/local/engine/private_mounts.hpp"
#include "plugins/local/supervisor/processes/app_mark.hpp"
#include "plugins/local/supervisor/processes/process_tree.hpp"
#include "plugins/local/supervisor/spawning/program_search.hpp"
#include "plugins/local/supervisor/spawning/replica_recipe.hpp"
#include "plugins/local/supervisor/spawning/replica_spawn.hpp"

namespace slipway::local {

/// What the starts of the commands of one group have in common.
struct ProbeCommands::Prepared {
  const LaunchGroup* original = nullptr;  // the group in the plan
  LaunchGroup group;                      // a copy, with the command in place of the program
  std::optional<ReplicaRecipe> recipe;
  std::optional<PrivateMounts> mounts;
};

ProbeCommands::ProbeCommands(AppFiles& files, const std::optional<rlimit>& open_files)
    : files_(files), open_files_(open_files) {}

ProbeCommands::~ProbeCommands() = default;

void ProbeCommands::prepare(const LaunchGroup& group, std::int32_t replica, std::uint32_t attempt) {
  if (prepared_ && prepared_->original == &group)
    return prepared_->recipe->prepare(replica, attempt);
  prepared_ = std::make_unique<Prepared>();
  Prepared& made = *prepared_;
  made.original = &group;
  made.group = group;
  made.group.argv = group.needs.ready.command;
  if (!group.expand_macros) {
    // Such a group has one replica. The macros of its program were replaced when the request was
    // made, those of its probe were not.
    const MacroValues values = macro_values(files_.plan(), group, replica);
    for (std::size_t i = 1; i < made.group.argv.size(); ++i)
      made.group.argv[i] = substitute_macros(made.group.argv[i], values);
  }
  const std::size_t sign = kProbeMark.find('=');
  made.group.env.emplace_back(kProbeMark.substr(0, sign), kProbeMark.substr(sign + 1));
  made.recipe.emplace(files_.plan(), made.group, files_.mark());
  made.recipe->prepare(replica, attempt);
  if (!made.group.needs.mounts.empty()) made.mounts.emplace(made.group.needs.mounts);
}

std::int32_t ProbeCommands::start(std::uint32_t index, std::string& why) {
  const auto [group, replica] = files_.locate(index);
  prepare(*group, replica, word_attempt(files_.state().head(index).word.load()));
  const LaunchGroup& own = prepared_->group;
  const FoundProgram program = find_program(own, search_path(files_.plan(), own, replica));
  std::string attempted = program.attempted();
  int error = program.error;
  std::int32_t pid = 0;
  if (error == 0) {
    SpawnTrouble trouble;
    SpawnRequest request;
    request.launcher = static_cast<std::int32_t>(::getpid());
    request.program = program.path.c_str();
    request.argv = prepared_->recipe->argv();
    request.envp = prepared_->recipe->envp();
    request.cwd = own.cwd.c_str();
    request.open_files = open_files_ ? &*open_files_ : nullptr;
    request.mounts = prepared_->mounts ? &*prepared_->mounts : nullptr;
    request.trouble = &trouble;
    pid = spawn_replica(request);
    error = pid < 0 ? -pid : trouble.error;
    if (trouble.step == SpawnTrouble::Step::kMounts)
      attempted = prepared_->mounts->describe(trouble.mount);
  }
  if (error == 0) return pid;
  if (pid > 0) {
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  why = "its command " + own.argv[0] + ": cannot " + attempted + ": " + std::strerror(error);
  return 0;
}

void kill_leftover_probes(
    const std::function<bool(std::int32_t pid, std::int32_t group)>& is_needed) {
  for (const std::int32_t pid : direct_children()) {
    const pid_t group = ::getpgid(pid);
    if (is_needed(pid, group) || !has_mark(pid, kProbeMark)) continue;
    // This is not the group of a replica: each replica leads its own process session, which no
    // other process can enter.
    if (group > 1) ::kill(-group, SIGKILL);
    ::kill(pid, SIGKILL);
  }
}

}  // namespace slipway::local
