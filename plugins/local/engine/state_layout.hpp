// The bytes of the state file, `state.bin`. The supervisor maps the file, readers call pread().
//
// [StateHeader][strings and role table][padding to 4096][ReplicaHead x replica_count][ReplicaTail x
// replica_count]. Byte order of the machine. Machines that share a state root read each other's
// records, but only the machine that a record names writes it (foreign_record.hpp). The supervisor,
// which holds the app's lock, writes the file. When the process of a replica starts, it writes its
// own word, and `error_number` if it cannot become the program.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace slipway::local {

/// Copies a T from bytes of any alignment.
template <typename T>
T value_at(const char* bytes, std::size_t offset = 0) {
  T value{};
  std::memcpy(&value, bytes + offset, sizeof value);
  return value;
}

inline constexpr char kStateName[] = "state.bin";
inline constexpr char kStateDraftName[] = ".state.bin";  // renamed once it is complete
inline constexpr char kStateMagic[8] = {'S', 'L', 'W', 'S', 'T', 'A', 'T', 'E'};
/// The format that this program writes.
inline constexpr std::uint32_t kStateVersion = 8;
/// The oldest format whose programs read this format correctly. A change that they could misread
/// sets it to kStateVersion.
inline constexpr std::uint32_t kMinimumReader = 8;
/// The oldest format that this program reads.
inline constexpr std::uint32_t kOldestRead = 8;
inline constexpr std::uint32_t kMaxReplicas = 1'000'000;
inline constexpr std::uint32_t kMaxStringTable = 64U << 20U;  // bytes before the entries
inline constexpr std::size_t kMessageBytes = 1024;

/// The cause for which the supervisor stops the app before its end. Recorded, so that a successor
/// continues to stop it.
enum class StopCause : std::uint32_t {
  kNone = 0,
  kCancel = 1,
  kSpawnFailed = 2,  // a replica could not be started
  kFailFast = 3,     // a replica is FAILED, and LifeRules::fail_fast is set
  kTooFew = 4,       // a role can no longer have its min_replicas
  kAppTimeout = 5,   // the app exceeded LifeRules::app_timeout_ms
};

// StateFixed::traits
inline constexpr std::uint32_t kOwned = 1U;        // the app ends with the command that started it
inline constexpr std::uint32_t kNotCombined = 2U;  // its replicas have no combined.log
inline constexpr std::uint32_t kHasGpus = 4U;      // once it runs, the journal names its GPUs

// StateHeader::acknowledged
inline constexpr std::uint32_t kAcknowledged = 1U;  // the helper acknowledged the launch
inline constexpr std::uint32_t kReleased = 2U;      // the same, and the owner left the app running

/// A piece of the string table; `offset` counts from the start of the file.
struct StringRef {
  std::uint32_t offset;
  std::uint32_t length;
};

/// A row of the role table. The entries of the replicas of a role are neighbours.
struct RoleEntry {
  StringRef name;
  std::uint32_t first_entry;
  std::uint32_t count;
};

/// The part of the header that the launch writes once, before commands can see the record.
/// `table_crc` covers this struct (with table_crc = 0), the string table after the header, and the
/// role table after that. `magic`, `version` and `minimum_reader` have the same places in every
/// format, so that each program recognises the records of all others.
struct StateFixed {
  char magic[8];
  std::uint32_t version;
  std::uint32_t table_crc;
  std::uint64_t file_bytes;
  std::uint32_t entries_offset;
  std::uint32_t replica_count;
  std::uint32_t roles_offset;
  std::uint32_t role_count;
  StringRef app_name;
  StringRef scheduler;
  StringRef log_dir;
  std::int64_t submitted_ns;
  StringRef ports;       // a line `<index of the entry> <JSON object>` for each replica with ports
  std::uint32_t traits;  // kOwned | kNotCombined | kHasGpus
  char boot_id[36];
  std::uint32_t minimum_reader;  // the oldest format whose programs read this record
  std::uint32_t spec_crc;        // of spec.json
  std::uint64_t machine;         // as in MachineIdentity
  StringRef host;
  std::int64_t order;  // as in LaunchPlan
};

/// A grace time in milliseconds that stands for the one of each role.
constexpr std::int64_t kGraceOfRoles = -1;

/// The header: `fixed`, and the fields that change. A writer changes them before it increases
/// `sequence`. `app_state` becomes terminal after all other changes. `check` covers all of them
/// (record_check.hpp).
struct StateHeader {
  StateFixed fixed;
  std::atomic<std::uint64_t> sequence;
  std::atomic<std::uint32_t> app_state;     // AppState
  std::atomic<std::uint32_t> acknowledged;  // 0, kAcknowledged or kReleased
  std::atomic<std::uint32_t> stop_cause;    // StopCause
  std::atomic<std::uint32_t> kill_now;      // 1: the app is stopped without grace time
  std::atomic<std::int64_t> stop_grace_ms;  // or kGraceOfRoles; valid once stop_cause is set
  std::atomic<std::int64_t> started_ns;
  std::atomic<std::int64_t> finished_ns;
  std::atomic<std::int32_t> supervisor_pid;
  std::atomic<std::int32_t> warden_pid;
  std::atomic<std::uint32_t> message_length;
  /// Number of restarts of the whole app. Increasing it orders a restart: from then on the
  /// supervisor, or its successor, ends and repeats every attempt that began before.
  std::atomic<std::uint32_t> app_round;
  /// app_round of the last restart whose old processes have all ended, so that new ones may start.
  std::atomic<std::uint32_t> cleared_round;
  std::atomic<std::uint32_t> check;
  std::atomic<std::int64_t> round_due_ns;     // as role_due_ns, for app_round
  std::atomic<std::int64_t> started_boot_ns;  // boottime_ns() at started_ns
  std::atomic<std::uint64_t> attempts;        // number of ended attempts in the journal
  std::atomic<std::uint32_t> end_command;     // 1: the command of `on_end` was or is being started
  std::uint32_t reserved;
  char message[kMessageBytes];
};

/// State of a replica in the state file. Unlike AppState it has kStarting: the supervisor has
/// assigned the replica to a child that has not claimed it yet. It also has kEnded: the attempt
/// failed and its facts are recorded, but the supervisor has not decided yet whether a retry
/// follows. transitions.hpp says which state may follow which.
enum class RecordState : std::uint8_t {
  kPending = 0,
  kStarting = 1,
  kRunning = 2,
  kSucceeded = 3,
  kFailed = 4,
  kCancelled = 5,
  kEnded = 6,
};

constexpr std::string_view to_string(RecordState state) {
  switch (state) {
    case RecordState::kPending: return "PENDING";
    case RecordState::kStarting: return "STARTING";
    case RecordState::kRunning: return "RUNNING";
    case RecordState::kSucceeded: return "SUCCEEDED";
    case RecordState::kFailed: return "FAILED";
    case RecordState::kCancelled: return "CANCELLED";
    case RecordState::kEnded: break;
  }
  return "ENDED";
}

// ReplicaHead::flags
inline constexpr std::uint32_t kHasErrorFile = 1U;   // its error file existed at its end
inline constexpr std::uint32_t kHasWaitStatus = 2U;  // wait_status is known
inline constexpr std::uint32_t kTimedOut = 4U;       // the supervisor stops it: it ran too long
inline constexpr std::uint32_t kProbed = 8U;         // it has a readiness probe
inline constexpr std::uint32_t kReady = 16U;         // the probe has passed in this attempt
inline constexpr std::uint32_t kUnready = 32U;       // the supervisor stops it: not ready in time
inline constexpr std::uint32_t kService = 64U;       // its role is a service

// Flags that belong to the replica and not to one of its attempts.
inline constexpr std::uint32_t kOfReplica = kProbed | kService;

/// The state of a replica. Heads are apart from tails, so that a reader of thousands of states
/// reads little.
///
/// `word` (make_word()) holds the state, the attempt and the pid, because the child and the
/// supervisor change them with one compare-and-swap. It has a check of its own. The word alone
/// decides which process runs as the replica:
/// 1. The supervisor writes {kStarting, attempt, its own pid}, a promise. The pid distinguishes it
///    from the promise of a successor, which uses the same attempt.
/// 2. The child replaces the promise by {kRunning, attempt, its own pid}, or a successor of the
///    supervisor takes the promise back. One compare-and-swap succeeds; the other process gives up.
///
/// Writers write all other fields, also those of the tail, before the word that makes them
/// meaningful. The word is the first field, and heads precede tails. So a reader that copies the
/// file in ascending order never sees a state without its facts.
struct ReplicaHead {
  std::atomic<std::uint64_t> word;
  std::atomic<std::int32_t> wait_status;
  std::atomic<std::int32_t> error_number;  // why the start failed; by child or supervisor
  std::atomic<std::uint32_t> flags;
  std::atomic<std::uint32_t> reason;  // Reason
  std::atomic<std::uint32_t> check;   // of the four fields behind the word (record_check.hpp)
  std::uint32_t reserved;
};

/// The rest of a replica's entry.
struct ReplicaTail {
  /// boottime_ns() before clone() and after the child's claim. The start time of the process lies
  /// between them; with the boot id it distinguishes the process from a later one with the same
  /// pid. `window_to_ns` is 0 if the supervisor died during the start.
  std::atomic<std::int64_t> window_from_ns;
  std::atomic<std::int64_t> window_to_ns;
  std::atomic<std::int64_t> started_ns;
  std::atomic<std::int64_t> finished_ns;
  std::uint64_t combined_out;  // CombinedCursor of the merger
  std::uint64_t combined_err;
  std::atomic<std::int64_t> due_ns;  // a pending replica waits until this boottime_ns()
  /// `attempt` in the upper 32 bits, `round` in the lower ones. The attempts after `attempt` belong
  /// to `round`, so that a successor knows which replicas a restart has started and which it has
  /// yet to repeat (rounds.hpp).
  std::atomic<std::uint64_t> round_mark;
  /// Only in the first entry of a role: the number of restarts of the role alone. Works like
  /// StateHeader::app_round.
  std::atomic<std::uint32_t> role_round;
  std::atomic<std::uint32_t> check;  // of all fields but the cursor (record_check.hpp)
  /// Earliest start (boottime_ns()) of the restart that role_round orders; set before it.
  std::atomic<std::int64_t> role_due_ns;
  /// Size of combined.log at the start of the attempt; its own output follows.
  std::atomic<std::uint64_t> log_start;
  // The resources that the attempt used, as in ResourceUse.
  std::atomic<std::int64_t> cpu_time_ns;
  std::atomic<std::int64_t> max_rss_bytes;
};

static_assert(offsetof(StateFixed, version) == 8 && offsetof(StateFixed, minimum_reader) == 120);
static_assert(sizeof(StateFixed) == 152);
static_assert(sizeof(ReplicaHead) == 32 && sizeof(ReplicaTail) == 104);
static_assert(sizeof(StateHeader) == 1280);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::is_standard_layout_v<StateHeader> && std::is_standard_layout_v<ReplicaHead> &&
              std::is_standard_layout_v<ReplicaTail>);

inline constexpr std::size_t kEntryBytes = sizeof(ReplicaHead) + sizeof(ReplicaTail);

/// Returns the offset of the tails in the file.
constexpr std::uint64_t tails_offset(const StateFixed& fixed) {
  return fixed.entries_offset + std::uint64_t{fixed.replica_count} * sizeof(ReplicaHead);
}

/// The entry of one replica in the mapped file.
struct ReplicaEntry {
  ReplicaHead& head;
  ReplicaTail& tail;
};

/// A word is state:3 | attempt:24 | pid:22 | check:15, lowest bit first. A pid of Linux has at most
/// 22 bits. A change of one of the other bits always changes the check. The check of kFreshWord is
/// not 0, so a zeroed entry is damage and not a pending replica.
namespace word_bits {
inline constexpr unsigned kAttemptAt = 3;
inline constexpr unsigned kPidAt = 27;
inline constexpr unsigned kCheckAt = 49;
inline constexpr std::uint64_t kAttempts = (1U << 24U) - 1;
inline constexpr std::uint64_t kPids = (1U << 22U) - 1;
inline constexpr std::uint64_t kStates = 7;

/// Returns the check of the other bits: the upper bits of a product with an odd constant, which has
/// no long run of equal bits.
constexpr std::uint64_t check(std::uint64_t rest) {
  return ((rest + 1) * 0x9E3779B97F4A7C15U) >> kCheckAt << kCheckAt;
}
}  // namespace word_bits

constexpr std::uint64_t make_word(RecordState state, std::uint32_t attempt, std::int32_t pid) {
  const std::uint64_t rest = static_cast<std::uint64_t>(state) |
                             (attempt & word_bits::kAttempts) << word_bits::kAttemptAt |
                             (static_cast<std::uint32_t>(pid) & word_bits::kPids)
                                 << word_bits::kPidAt;
  return rest | word_bits::check(rest);
}
constexpr RecordState word_state(std::uint64_t word) {
  return static_cast<RecordState>(word & word_bits::kStates);
}
constexpr std::uint32_t word_attempt(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> word_bits::kAttemptAt & word_bits::kAttempts);
}
constexpr std::int32_t word_pid(std::uint64_t word) {
  return static_cast<std::int32_t>(word >> word_bits::kPidAt & word_bits::kPids);
}
/// Returns the word in the bytes of a ReplicaHead.
inline std::uint64_t word_of(const char* head) {
  return value_at<std::uint64_t>(head, offsetof(ReplicaHead, word));
}
/// Returns whether make_word() can have made the word.
constexpr bool is_word(std::uint64_t word) {
  constexpr std::uint64_t kRest = (std::uint64_t{1} << word_bits::kCheckAt) - 1;
  return word_bits::check(word & kRest) == (word & ~kRest) &&
         (word & word_bits::kStates) <= static_cast<std::uint64_t>(RecordState::kEnded);
}
/// The word of a replica before its first attempt.
inline constexpr std::uint64_t kFreshWord = make_word(RecordState::kPending, 0, 0);
static_assert(is_word(kFreshWord) && !is_word(0));

constexpr bool is_final(RecordState state) {
  return state == RecordState::kSucceeded || state == RecordState::kFailed ||
         state == RecordState::kCancelled;
}

}  // namespace slipway::local
