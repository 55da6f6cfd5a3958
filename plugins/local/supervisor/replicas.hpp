// The life of the app's replicas as their records tell it, and the counts that follow from it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/logs/combined_merger.hpp"
#include "plugins/local/supervisor/app_files.hpp"
#include "plugins/local/supervisor/pid_table.hpp"

namespace slipway::local {

/// Every change of a record by the supervisor goes through here: facts first, the word last, then
/// the sequence number and a line in the event log. Not thread safe.
class Replicas {
 public:
  /// Counts what `files` holds; starts no merger when the log directory is gone.
  explicit Replicas(AppFiles& files);

  std::uint32_t count() const { return count_; }
  /// Replicas that have not ended (pending ones included).
  std::uint32_t open() const { return open_; }
  RecordState state(std::uint32_t index) const;
  std::int32_t pid(std::uint32_t index) const;
  /// Index of the running replica with that pid, or PidTable::kNone.
  std::uint32_t find(std::int32_t pid) const { return pids_.find(pid); }
  bool any_failed() const;

  /// A replica runs as `pid`: just started, or found by a successor (`adopted`).
  void running(std::uint32_t index, std::int32_t pid, bool adopted);
  /// It ended with wait status `status`. Must be called before the process is reaped, so that no
  /// instant of death loses the status. Its combined log is complete when this returns. CANCELLED
  /// when the app is being stopped.
  void ended(std::uint32_t index, std::int32_t status);
  /// It is gone, and nobody knows how it ended.
  void lost(std::uint32_t index);
  void spawn_failed(std::uint32_t index, std::int32_t error);
  /// All that are pending become CANCELLED.
  void cancel_pending();
  /// All that have not ended become FAILED, lost (after a reboot).
  void all_lost();

  template <typename F>
  void for_each_running(F each) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (state(i) == RecordState::kRunning && pids_.find(pid(i)) == i) each(i, pid(i));
    }
  }

  /// Copies what stray processes wrote after their replica had ended, when there were any, and what
  /// is left at all.
  void complete_logs(bool had_strays);
  CombinedMerger* merger() { return merger_.get(); }

 private:
  void conclude(std::uint32_t index, RecordState state, Reason reason, std::uint32_t flags);
  void tell(std::uint32_t index, const char* what);
  void merge(std::uint32_t index);
  bool has_error_file(std::uint32_t index) const;

  AppFiles& files_;
  std::uint32_t count_;
  std::uint32_t open_ = 0;
  PidTable pids_;
  std::unique_ptr<CombinedMerger> merger_;
};

}  // namespace slipway::local
