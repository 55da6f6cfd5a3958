// Starts replicas, some at a time: log files, argument vectors, the record's protocol.
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
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// A replica that cannot be started: now, or whatever is tried.
struct StartFailure {
  std::uint32_t index = 0;
  int error = 0;
  std::string message;  ///< `trainer/99: cannot start /no/such: No such file or directory`
};

class Launcher {
 public:
  /// `files`, `gpus` and `cgroups` must outlive this. `open_files` is RLIMIT_NOFILE for the
  /// replicas when ours was raised.
  Launcher(AppFiles& files, GpuLease& gpus, ReplicaCgroups& cgroups,
           std::optional<rlimit> open_files);
  ~Launcher();
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  /// Looks up the programs and working directories of all replicas that wait, without starting any.
  /// The first that is missing, if one is.
  std::optional<StartFailure> check_all();

  enum class Outcome { kUnderWay, kStarted, kTryLater, kFailed };

  /// Begins to start replica `index`, whose record is PENDING. kUnderWay: finish_next() will tell;
  /// until then the record is STARTING or RUNNING. kTryLater: the system is short of processes,
  /// memory, descriptors or disk, or a GPU of the replica is not free again yet. kFailed: it never
  /// will. In the latter two cases failure() tells why, and the record is PENDING as before. Not
  /// when is_full().
  Outcome begin(std::uint32_t index);
  std::uint32_t under_way() const { return under_way_; }
  bool is_full() const { return under_way_ == kMostUnderWay; }

  struct Finished {
    std::uint32_t index = 0;
    std::int32_t pid = 0;
    Outcome outcome = Outcome::kStarted;
  };
  /// Waits for the start that was begun first of those under way. kStarted: its record is RUNNING
  /// (or its exec is through and it has ended, unreaped). kTryLater and kFailed as above.
  Finished finish_next();
  const StartFailure& failure() const { return failure_; }

  /// Lets go of the log files of the last replica (they are descriptors 1 and 2 meanwhile).
  void release_logs();

 private:
  /// All that a child needs until it is its program.
  struct Start {
    SpawnStage stage;
    SpawnRequest request;
    SpawnTrouble trouble;
    ProcessLimits limits;
    const LaunchGroup* group = nullptr;
    std::unique_ptr<ReplicaRecipe> recipe;  // of the group
    std::string program;
    std::array<OwnedFd, 2> pipes;  // until the merger has opened them as well; with LogRules::pipes
    std::uint32_t index = 0;
    std::int32_t pid = 0;
  };
  static constexpr std::uint32_t kMostUnderWay = 16;

  void fill(Start& start, const LaunchGroup& group, std::int32_t replica);
  static int error_of(const Start& start);
  Outcome take_back(const Start& start, int error);
  bool open_logs(const LaunchGroup& group, std::int32_t replica, std::string& what);
  Outcome give_up(std::uint32_t index, int error, const std::string& what);
  std::string action(const Start& start) const;
  void use_group(const LaunchGroup& group);
  void find(const LaunchGroup& group, std::int32_t replica);

  AppFiles& files_;
  GpuLease& gpus_;
  ReplicaCgroups& cgroups_;
  std::optional<rlimit> open_files_;
  const LaunchGroup* group_ = nullptr;
  std::unique_ptr<Start[]> starts_;  // a ring
  std::uint32_t first_ = 0;          // the oldest of those under way
  std::uint32_t under_way_ = 0;
  std::optional<PrivateMounts> mounts_;  // of the group, when it has any
  OwnedFd role_dir_;
  std::array<OwnedFd, 2> pipes_;  // of the replica that open_logs() was called for
  int role_dir_error_ = 0;        // errno, when there is no role_dir_
  FoundProgram program_;
  bool search_each_ = false;  // PATH differs between the replicas of the group
  bool logs_held_ = false;
  StartFailure failure_;
};

}  // namespace slipway::local
