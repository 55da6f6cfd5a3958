#include "plugins/local/supervisor/record/replica_journal.hpp"

#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/journal.hpp"

namespace slipway::local {

std::uint64_t ReplicaJournal::word(std::uint32_t index) const {
  return files_.state().head(index).word.load(std::memory_order_acquire);
}

void ReplicaJournal::add_number(const char* name, std::int64_t number) {
  line_ += name;
  append_number(line_, number);
}

/// Starts a line about replica `index`.
void ReplicaJournal::begin_line(std::uint32_t index, std::string_view what) {
  const auto [group, replica] = files_.locate(index);
  line_ = "replica ";
  line_ += group->role;
  add_number("/", replica);
  line_ += ' ';
  line_ += what;
  add_number(" pid=", word_pid(word(index)));
  add_number(" attempt=", word_attempt(word(index)));
}

/// Adds to the line how the attempt in the entry ended.
void ReplicaJournal::add_end(std::uint32_t index) {
  const ReplicaEntry entry = files_.state().entry(index);
  line_ += " reason=";
  line_ += reason_name(static_cast<Reason>(entry.head.reason.load()));
  if ((entry.head.flags.load() & kHasWaitStatus) != 0)
    add_number(" status=", entry.head.wait_status.load());
  if ((entry.head.flags.load() & kHasErrorFile) != 0) line_ += " error_file=1";
  if (entry.head.reason.load() == static_cast<std::uint32_t>(Reason::kSpawnFailed))
    add_number(" errno=", entry.head.error_number.load());
  // 0: the attempt used nothing, or its use is not known, as that of an orphan.
  if (entry.tail.max_rss_bytes.load() == 0) return;
  add_number(" cpu_ns=", entry.tail.cpu_time_ns.load());
  add_number(" max_rss=", entry.tail.max_rss_bytes.load());
}

void ReplicaJournal::write(std::uint32_t index, std::string_view what) {
  const RecordState now = word_state(word(index));
  begin_line(index, what);
  if (now == RecordState::kPending || now == RecordState::kEnded || is_final(now)) add_end(index);
  // The journal has the same times as the entry.
  const ReplicaTail& tail = files_.state().tail(index);
  const bool has_started = now == RecordState::kRunning && (what == "RUNNING" || what == "ADOPTED");
  const std::int64_t time = is_final(now) ? tail.finished_ns.load()
                            : has_started ? tail.started_ns.load()
                                          : realtime_ns();
  files_.events().add(files_.changed(index), line_, time);
}

void ReplicaJournal::write_end(std::uint32_t index) {
  write(index, to_string(word_state(word(index))));
}

bool ReplicaJournal::write_attempt(std::uint32_t index, AppState state, const LogEnds& logs) {
  const ReplicaTail& tail = files_.state().tail(index);
  begin_line(index, kAttemptEnded);
  add_end(index);
  line_ += " state=";
  line_ += to_string(state);
  add_number(" started=", tail.started_ns.load());
  add_number(" out_end=", static_cast<std::int64_t>(logs.out));
  add_number(" err_end=", static_cast<std::int64_t>(logs.err));
  files_.events().add(files_.changed(index), line_, tail.finished_ns.load());
  return files_.events().flush();
}

}  // namespace slipway::local
