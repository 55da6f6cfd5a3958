// Starts replicas, up to 16 at a time.
#pragma once

#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "plugins/local/engine/private_mounts.hpp"
#include "plugins/local/supervisor/record/app_files.hpp"
#include "plugins/local/supervisor/spawning/program_search.hpp"
#include "plugins/local/supervisor/spawning/replica_cgroups.hpp"
#include "plugins/local/supervisor/spawning/replica_recipe.hpp"
#include "plugins/local/supervisor/spawning/replica_spawn.hpp"
#include "plugins/local/supervisor/starting/gpu_lease.hpp"
#include "plugins/local/supervisor/starting/replica_logs.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// A start that failed. A later attempt may succeed, or none will (Launcher::Outcome).
struct StartFailure {
  std::uint32_t index = 0;
  int error = 0;        ///< errno; 0: none, as when another process has the replica's GPUs
  std::string message;  ///< `trainer/99: cannot start /no/such: No such file or directory`
};

/// Starts processes of replicas. A start makes the entry STARTING before the child exists, and the
/// child or finish_next() writes the outcome: no start leaves an entry STARTING. Not thread safe.
class Launcher {
 public:
  /// `files`, `gpus` and `cgroups` must outlive this. `open_files` is RLIMIT_NOFILE for the
  /// replicas, if the supervisor has raised its own.
  Launcher(AppFiles& files, GpuLease& gpus, ReplicaCgroups& cgroups,
           std::optional<rlimit> open_files);

  /// Looks up the programs and working directories of all replicas without starting any. Returns
  /// the first failure that is not a shortage.
  std::optional<StartFailure> check_all();

  /// The outcome of a start.
  enum class Outcome {
    kUnderWay,  ///< finish_next() reports the outcome; until then the entry is STARTING or RUNNING
    kStarted,   ///< the entry is RUNNING; the process may have ended, but is not reaped
    kTryLater,  ///< a shortage (is_shortage()), or another process has the replica's GPUs
    kFailed,    ///< no later attempt will succeed
  };

  /// Begins to start PENDING replica `index`. After kTryLater and kFailed, failure() has the
  /// reason, and the entry is PENDING as before. The caller checks is_full() first.
  Outcome begin(std::uint32_t index);
  std::uint32_t under_way() const { return under_way_; }
  bool is_full() const { return under_way_ == kMostUnderWay; }

  /// A start that is no longer under way.
  struct Finished {
    std::uint32_t index = 0;
    std::int32_t pid = 0;  ///< 0 after a failure
    Outcome outcome = Outcome::kStarted;
    bool has_marked_logs = false;  ///< see ReplicaLogs::is_marked()
  };
  /// Waits for the oldest start that is under way; there must be one. Its outcome is kStarted,
  /// kTryLater or kFailed.
  Finished finish_next();
  const StartFailure& failure() const { return failure_; }

  /// Closes the log files of the replica that began to start last.
  void release_logs() { logs_.release(); }

 private:
  /// The memory that a child uses until it executes its program.
  struct Start {
    SpawnStage stage;
    SpawnRequest request;
    SpawnTrouble trouble;
    ProcessLimits limits;
    const LaunchGroup* group = nullptr;
    std::unique_ptr<ReplicaRecipe> recipe;  // of the group
    std::string program;
    std::array<OwnedFd, 2> pipes;
    bool has_marked_logs = false;
    std::uint32_t index = 0;
    std::int32_t pid = 0;
  };
  // On a busy machine each child waits for the processor; at most this many wait at the same time.
  static constexpr std::uint32_t kMostUnderWay = 16;

  void fill_request(Start& start, const LaunchGroup& group, std::int32_t replica);
  static int error_of(const Start& start);
  Outcome revert(const Start& start, int error);
  Outcome fail(std::uint32_t index, int error, const std::string& what);
  std::string action_text(const Start& start) const;
  void use_group(const LaunchGroup& group);
  void find_program(const LaunchGroup& group, std::int32_t replica);

  AppFiles& files_;
  GpuLease& gpus_;
  ReplicaCgroups& cgroups_;
  std::optional<rlimit> open_files_;
  ReplicaLogs logs_;
  const LaunchGroup* group_ = nullptr;  // the group that use_group() prepared; null: none
  std::unique_ptr<Start[]> starts_;     // a ring of kMostUnderWay
  std::uint32_t oldest_ = 0;            // position of the oldest start under way
  std::uint32_t under_way_ = 0;
  std::optional<PrivateMounts> mounts_;   // of group_, if it has any
  FoundProgram program_;                  // of group_, or of the replica if search_each_
  const LaunchGroup* checked_ = nullptr;  // the group whose program check_all() has just found
  bool search_each_ = false;              // PATH differs between the replicas of group_
  StartFailure failure_;                  // the last one
};

}  // namespace slipway::local
