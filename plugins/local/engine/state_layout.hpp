// The bytes of `state.bin`, shared by the supervisor (which maps the file) and every reader (which
// preads it).
//
// [StateHeader][strings and role table][padding to 4096][ReplicaHead x replica_count][ReplicaTail x
// replica_count]. Host byte order. Machines that share a directory read each other's records, but
// only the machine that a record names writes it (foreign_record.hpp). One writer: the process that
// holds the app's lock, and the replicas it is just starting.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace slipway::local {

inline constexpr char kStateName[] = "state.bin";
inline constexpr char kStateDraftName[] =
    ".state.bin";  // renamed to kStateName once it is complete
inline constexpr char kStateMagic[8] = {'S', 'L', 'W', 'S', 'T', 'A', 'T', 'E'};
/// The format that this program writes. A change that a program of format N could misread also sets
/// kMinimumReader, to the first format whose programs read it right.
inline constexpr std::uint32_t kStateVersion = 7;
inline constexpr std::uint32_t kMinimumReader = 7;
/// The oldest format that this program reads.
inline constexpr std::uint32_t kOldestRead = 7;
inline constexpr std::uint32_t kMaxReplicas = 1'000'000;
inline constexpr std::uint32_t kMaxStringTable = 64U << 20U;
inline constexpr std::size_t kMessageBytes = 1024;

/// Why the supervisor stops the app before its end; persisted, so that whoever takes over goes on
/// with it.
enum class StopCause : std::uint32_t {
  kNone = 0,
  kCancel = 1,
  kSpawnFailed = 2,
  kFailFast = 3,    // a replica failed for good, and the rest is not to go on
  kTooFew = 4,      // a role cannot have its min_replicas any more
  kAppTimeout = 5,  // the app took longer than it may
};

inline constexpr std::uint32_t kOwned = 1U;        // it ends with the command that started it
inline constexpr std::uint32_t kNotCombined = 2U;  // its replicas have no combined.log
inline constexpr std::uint32_t kHasGpus = 4U;      // the journal names its GPUs once it runs

/// A piece of the string table; `offset` counts from the start of the file.
struct StringRef {
  std::uint32_t offset;
  std::uint32_t length;
};

/// One line of the role table. Records of a role are contiguous.
struct RoleEntry {
  StringRef name;
  std::uint32_t first_record;
  std::uint32_t count;
};

/// The part of the header that is written once, before the record becomes visible. `table_crc`
/// covers this struct (with table_crc = 0), the string table behind the header and the role table
/// behind that. `magic`, `version` and `minimum_reader` keep their places in every format, so that
/// each program recognises the records of all others.
struct StateFixed {
  char magic[8];
  std::uint32_t version;
  std::uint32_t table_crc;
  std::uint64_t file_bytes;
  std::uint32_t records_offset;
  std::uint32_t replica_count;
  std::uint32_t roles_offset;
  std::uint32_t role_count;
  StringRef app_name;
  StringRef scheduler;
  StringRef log_dir;
  std::int64_t submitted_ns;
  StringRef ports;       // a line `<index of the record> <JSON object>` for each replica with ports
  std::uint32_t traits;  // kOwned and the like
  char boot_id[36];
  std::uint32_t minimum_reader;  // the oldest format whose programs read this record
  std::uint32_t spec_crc;        // of spec.json
  std::uint64_t machine;         // as in MachineIdentity
  StringRef host;
  std::int64_t order;  // as in LaunchPlan
};

/// Fields that change. Each is written before `sequence` grows; `app_state` becomes terminal after
/// everything else. `check` covers them all (record_check.hpp).
struct StateHeader {
  StateFixed fixed;
  std::atomic<std::uint64_t> sequence;
  std::atomic<std::uint32_t> app_state;     // AppState
  std::atomic<std::uint32_t> acknowledged;  // 1: the submitter was told that the app exists
  std::atomic<std::uint32_t> stop_cause;    // StopCause
  std::atomic<std::uint32_t> kill_now;      // 1: no grace
  std::atomic<std::int64_t> stop_grace_ms;  // in force once stop_cause is set
  std::atomic<std::int64_t> started_ns;
  std::atomic<std::int64_t> finished_ns;
  std::atomic<std::int32_t> supervisor_pid;
  std::atomic<std::int32_t> warden_pid;
  std::atomic<std::uint32_t> message_length;
  /// How often the whole app was started again. Growing it is what orders a restart: from then on
  /// every attempt that began before is to be ended and repeated, whoever supervises.
  std::atomic<std::uint32_t> app_round;
  /// app_round of the last restart whose old processes are all gone: the new ones may start.
  std::atomic<std::uint32_t> swept_round;
  std::atomic<std::uint32_t> check;
  std::atomic<std::int64_t> round_due_ns;     // not before (CLOCK_BOOTTIME); set before app_round
  std::atomic<std::int64_t> started_boot_ns;  // started_ns on CLOCK_BOOTTIME
  std::atomic<std::uint64_t> attempts;        // ended attempts in the journal
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

inline constexpr std::uint32_t kHasErrorFile = 1U;   // ReplicaHead::flags
inline constexpr std::uint32_t kHasWaitStatus = 2U;  // wait_status is real
inline constexpr std::uint32_t kTimedOut = 4U;       // it is being stopped: it ran for too long
inline constexpr std::uint32_t kProbed = 8U;         // somebody asks whether it is ready
inline constexpr std::uint32_t kReady = 16U;         // this attempt was found ready
inline constexpr std::uint32_t kUnready = 32U;  // it is being stopped: it was not ready in time

/// How a replica fares: apart from the rest of its record, so that a reader who looks at thousands
/// has little to read.
///
/// `word` (make_word) holds the state, the attempt and the pid, with a check of its own, because
/// the child and the supervisor change it with one compare-and-swap. It is the only truth about who
/// owns the replica. A start writes {kStarting, attempt, pid of the launcher}, so that the promise
/// of one supervisor is never taken for that of its successor, which uses the same attempt; then
/// exactly one of two parties wins the compare-and-swap: the child, which puts its own pid in, or a
/// successor of the supervisor, which takes the promise back. The loser of the two gives up. Every
/// other field, also of the tail, is written before the word that makes it meaningful; and the word
/// is the first field, and heads lie before tails, so that a reader that copies the file upwards
/// never sees a state without its facts.
struct ReplicaHead {
  std::atomic<std::uint64_t> word;
  std::atomic<std::int32_t> wait_status;
  std::atomic<std::int32_t> error_number;  // why exec failed; written by the child
  std::atomic<std::uint32_t> flags;
  std::atomic<std::uint32_t> reason;  // Reason
  std::atomic<std::uint32_t> check;   // of the four fields above (record_check.hpp)
  std::uint32_t reserved;
};

/// The rest of a replica's record.
struct ReplicaTail {
  /// CLOCK_BOOTTIME before clone() and after the child's claim: the process's start time lies
  /// between. The second is 0 if the supervisor died during the start. With the boot id this tells
  /// the process from a later one with the same pid.
  std::atomic<std::int64_t> window_from_ns;
  std::atomic<std::int64_t> window_to_ns;
  std::atomic<std::int64_t> started_ns;
  std::atomic<std::int64_t> finished_ns;
  std::uint64_t combined_out;  // CombinedCursor of the merger
  std::uint64_t combined_err;
  std::atomic<std::int64_t> due_ns;  // a PENDING one waits until then (CLOCK_BOOTTIME)
  /// attempt:32 | round:32. The attempts after `attempt` belong to `round`, so that a successor
  /// tells what a restart has yet to repeat from what it has started already (rounds.hpp).
  std::atomic<std::uint64_t> round_mark;
  /// Of the first record of a role alone: how often the role was started again for itself, and not
  /// before when (set first). Ordered like StateHeader::app_round.
  std::atomic<std::uint32_t> role_round;
  std::atomic<std::uint32_t> check;  // of all but the cursor (record_check.hpp)
  std::atomic<std::int64_t> role_due_ns;
  /// Size of combined.log when the attempt began: what it says of itself follows.
  std::atomic<std::uint64_t> log_start;
  std::uint64_t reserved;
};

static_assert(offsetof(StateFixed, version) == 8 && offsetof(StateFixed, minimum_reader) == 120);
static_assert(sizeof(StateFixed) == 152);
static_assert(sizeof(ReplicaHead) == 32 && sizeof(ReplicaTail) == 96);
static_assert(sizeof(StateHeader) < 2048);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::is_standard_layout_v<StateHeader> && std::is_standard_layout_v<ReplicaHead> &&
              std::is_standard_layout_v<ReplicaTail>);

inline constexpr std::size_t kRecordBytes = sizeof(ReplicaHead) + sizeof(ReplicaTail);

/// Where the tails begin.
constexpr std::uint64_t tails_offset(const StateFixed& fixed) {
  return fixed.records_offset + std::uint64_t{fixed.replica_count} * sizeof(ReplicaHead);
}

/// One replica's record in the mapped file: both of its parts, by the names of their fields.
struct ReplicaRecord {
  ReplicaRecord(ReplicaHead& its_head, ReplicaTail& its_tail)
      : head(its_head),
        tail(its_tail),
        word(head.word),
        wait_status(head.wait_status),
        error_number(head.error_number),
        flags(head.flags),
        reason(head.reason),
        window_from_ns(tail.window_from_ns),
        window_to_ns(tail.window_to_ns),
        started_ns(tail.started_ns),
        finished_ns(tail.finished_ns),
        combined_out(tail.combined_out),
        combined_err(tail.combined_err),
        due_ns(tail.due_ns),
        round_mark(tail.round_mark),
        role_round(tail.role_round),
        role_due_ns(tail.role_due_ns),
        log_start(tail.log_start) {}

  ReplicaHead& head;
  ReplicaTail& tail;
  std::atomic<std::uint64_t>& word;
  std::atomic<std::int32_t>& wait_status;
  std::atomic<std::int32_t>& error_number;
  std::atomic<std::uint32_t>& flags;
  std::atomic<std::uint32_t>& reason;
  std::atomic<std::int64_t>& window_from_ns;
  std::atomic<std::int64_t>& window_to_ns;
  std::atomic<std::int64_t>& started_ns;
  std::atomic<std::int64_t>& finished_ns;
  std::uint64_t& combined_out;
  std::uint64_t& combined_err;
  std::atomic<std::int64_t>& due_ns;
  std::atomic<std::uint64_t>& round_mark;
  std::atomic<std::uint32_t>& role_round;
  std::atomic<std::int64_t>& role_due_ns;
  std::atomic<std::uint64_t>& log_start;
};

/// A word is state:3 | attempt:24 | pid:22 | check:15, from the lowest bit up. No pid of Linux
/// needs more than 22 bits. The check differs whenever one of the other bits does, and is never 0
/// for a replica that was never started: a record that was zeroed is not one that waits.
namespace word_bits {
inline constexpr unsigned kAttemptAt = 3;
inline constexpr unsigned kPidAt = 27;
inline constexpr unsigned kCheckAt = 49;
inline constexpr std::uint64_t kAttempts = (1U << 24U) - 1;
inline constexpr std::uint64_t kPids = (1U << 22U) - 1;
inline constexpr std::uint64_t kStates = 7;

/// The upper bits of a product with an odd constant that has no long run of equal bits.
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
/// Whether the word is one that make_word made.
constexpr bool is_word(std::uint64_t word) {
  constexpr std::uint64_t kRest = (std::uint64_t{1} << word_bits::kCheckAt) - 1;
  return word_bits::check(word & kRest) == (word & ~kRest) &&
         (word & word_bits::kStates) <= static_cast<std::uint64_t>(RecordState::kEnded);
}
/// The word of a replica that was never started.
inline constexpr std::uint64_t kFreshWord = make_word(RecordState::kPending, 0, 0);
static_assert(is_word(kFreshWord) && !is_word(0));

constexpr bool is_final(RecordState state) {
  return state == RecordState::kSucceeded || state == RecordState::kFailed ||
         state == RecordState::kCancelled;
}

}  // namespace slipway::local
