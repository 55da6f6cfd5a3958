#include "plugins/local/supervisor/recovering/abandon.hpp"

#include <cstddef>
#include <cstring>
#include <string_view>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "plugins/local/engine/machine_identity.hpp"
#include "plugins/local/engine/record_check.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "plugins/local/supervisor/processes/app_mark.hpp"
#include "plugins/local/supervisor/processes/app_members.hpp"
#include "plugins/local/supervisor/recovering/state_rebuild.hpp"
#include "plugins/local/supervisor/timing/end_time.hpp"

namespace slipway::local {
namespace {

/// The size of the largest state file.
constexpr std::size_t kMostStateBytes = std::size_t{kMaxReplicas} * kEntryBytes + kMaxStringTable;

/// Adds the process sessions of the replicas, also of ended ones, whose word and tail are intact.
void add_recorded_sessions(int dir_fd, AppMembers& members) {
  std::string bytes;
  if (!read_file(dir_fd, kStateName, kMostStateBytes, bytes) || bytes.size() < sizeof(StateHeader))
    return;
  const auto fixed = value_at<StateFixed>(bytes.data());
  if (std::memcmp(fixed.magic, kStateMagic, sizeof fixed.magic) != 0 ||
      fixed.version != kStateVersion ||
      std::string_view(fixed.boot_id, sizeof fixed.boot_id) != boot_id()) {
    return;
  }
  for (std::uint32_t i = 0; i < fixed.replica_count; ++i) {
    const std::uint64_t head = fixed.entries_offset + std::uint64_t{i} * sizeof(ReplicaHead);
    const std::uint64_t tail = tails_offset(fixed) + std::uint64_t{i} * sizeof(ReplicaTail);
    if (tail + sizeof(ReplicaTail) > bytes.size()) return;
    const std::uint64_t word = word_of(bytes.data() + head);
    const std::int32_t pid = word_pid(word);
    // The pid of a promised start is the supervisor's.
    if (!is_word(word) || pid <= 1 || word_state(word) == RecordState::kStarting) continue;
    if (!is_whole_tail(word, bytes.data() + tail)) continue;
    members.add_session(
        pid, start_window(
                 value_at<std::int64_t>(bytes.data(), tail + offsetof(ReplicaTail, window_from_ns)),
                 value_at<std::int64_t>(bytes.data(), tail + offsetof(ReplicaTail, window_to_ns))));
  }
}

/// Marks the app and its unfinished replicas FAILED. Leaves a finished app alone. Returns false if
/// the state file is missing or damaged. Throws kTemporary and OtherVersion as StateStore does.
bool fail_all(int dir_fd, const std::string& why) {
  try {
    StateStore state(dir_fd);
    if (is_terminal(state.app_state())) return true;
    unseal(state.header());
    for (std::uint32_t i = 0; i < state.count(); ++i) {
      const ReplicaEntry entry = state.entry(i);
      const std::uint64_t word = entry.head.word.load();
      if (is_final(word_state(word))) continue;
      unseal(entry);
      // The entry of a replica in kEnded has the cause of its failure already.
      if (word_state(word) != RecordState::kEnded) {
        entry.head.flags.fetch_and(kOfReplica);
        entry.head.reason.store(static_cast<std::uint32_t>(Reason::kLost));
        entry.tail.finished_ns.store(
            end_time(entry.tail.started_ns.load(), entry.tail.window_to_ns.load()));
      }
      // No child has claimed an attempt that is only promised, so it does not count.
      const bool promised = word_state(word) == RecordState::kStarting;
      entry.head.word.store(make_word(RecordState::kFailed,
                                      word_attempt(word) - (promised ? 1U : 0U),
                                      promised ? 0 : word_pid(word)));
      seal(entry);
    }
    state.set_message(why);
    StateHeader& header = state.header();
    header.finished_ns.store(end_time(header.started_ns.load(), header.started_boot_ns.load()));
    header.app_state.store(static_cast<std::uint32_t>(AppState::kFailed));
    state.touch();
    seal(header);
    return true;
  } catch (const OtherVersion&) {
    throw;
  } catch (const Error& error) {
    if (error.code() == Code::kTemporary) throw;
    return false;
  }
}

}  // namespace

bool abandon_app(int dir_fd, const std::string& why) {
  AppMembers members(app_mark(dir_fd));
  add_recorded_sessions(dir_fd, members);
  kill_until_none([&] { return members.find(); });
  return fail_all(dir_fd, why) || (rebuild_state(dir_fd) && fail_all(dir_fd, why));
}

}  // namespace slipway::local
