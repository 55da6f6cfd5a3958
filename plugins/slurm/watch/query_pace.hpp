// The times of the queries to Slurm about a job.
#pragma once

#include <chrono>

namespace slipway::slurm {

/// The limits of the pauses between queries.
struct QueryPauses {
  std::chrono::milliseconds first{1000};  ///< also the shortest between queries about progress
  std::chrono::milliseconds longest{30000};
  std::chrono::milliseconds at_end{250};  ///< once the record shows that the job has ended
};

/// The times of the queries about one job. The pauses between them start with the first one, grow
/// by half each time, and end with the longest one. A change of the job's record makes a query
/// due early, because Slurm soon knows what the record shows. The functions take the time, so that
/// tests choose it. [one thread at a time]
class QueryPace {
 public:
  using Clock = std::chrono::steady_clock;

  /// The first query is due a first pause after `now`.
  explicit QueryPace(Clock::time_point now, const QueryPauses& pauses = {});

  /// When the next query is due.
  Clock::time_point next() const { return next_; }

  /// Returns whether an answer to a query of `asked` replaces the query that is due at `now`:
  /// it is younger than the pause, and no older than the last change of the record.
  bool accepts(Clock::time_point asked, Clock::time_point now) const;

  /// Plans the next query after the answer to a query of `asked`, of any process. Ignores an
  /// answer that is older than the last change of the record.
  void answered(Clock::time_point asked, Clock::time_point now);

  /// Starts again with the first pause: the answer to the query of `asked` had a new state.
  void changed(Clock::time_point asked);

  enum class Wake {
    kProgress,  ///< a replica or the job recorded something, as thousands may do in a row
    kEnd        ///< the job recorded its result, which it does once
  };
  /// Notes a change of the record. After kEnd a query is due at once, and then after short
  /// pauses, because Slurm takes a moment to see that the job has ended. After kProgress a query
  /// is due at once, but no sooner than a first pause after the last query; while such changes
  /// continue, that pause doubles, up to the longest one.
  void woken(Clock::time_point now, Wake wake);

 private:
  QueryPauses pauses_;
  Clock::time_point last_;    // the newest answer was asked for then
  Clock::time_point needed_;  // an answer must have been asked for no earlier
  Clock::time_point next_;
  Clock::duration pause_;
  Clock::duration gap_;        // between queries that progress causes
  bool has_progress_ = false;  // since the last query that was due
};

}  // namespace slipway::slurm
