// Decides when queries to Slurm about a job are due.
#pragma once

#include <chrono>

namespace slipway::slurm {

/// The limits of the pauses between queries.
struct QueryPauses {
  std::chrono::milliseconds first{1000};  ///< also the shortest pause after progress
  std::chrono::milliseconds longest{30000};
  std::chrono::milliseconds at_end{250};  ///< after the record has shown that the job has ended
};

/// The times of the queries about one job. The pauses between queries start with QueryPauses::first
/// and grow by half each time, up to QueryPauses::longest. A change of the job's record makes a
/// query due early, because Slurm soon knows what the record shows. The functions get the time as
/// an argument, so that tests can choose it. [one thread at a time]
class QueryPace {
 public:
  using Clock = std::chrono::steady_clock;

  /// The first query is due QueryPauses::first after `now`.
  explicit QueryPace(Clock::time_point now, const QueryPauses& pauses = {});

  /// Returns when the next query is due.
  Clock::time_point next() const { return next_; }

  /// Returns whether the answer to a query at the time `asked` replaces the query that is due at
  /// `now`. It does if it is younger than the pause, and not older than the last change of the
  /// record.
  bool accepts(Clock::time_point asked, Clock::time_point now) const;

  /// Plans the next query after an answer to a query that any process made at `asked`. Ignores an
  /// answer that is older than the last change of the record.
  void answered(Clock::time_point asked, Clock::time_point now);

  /// Starts again with the first pause, or with the present one if that is shorter, because the
  /// answer to the query at `asked` had a new state.
  void changed(Clock::time_point asked);

  enum class Wake {
    kProgress,  ///< a replica or the job recorded something, as thousands may do in a row
    kEnd        ///< the job recorded its result, which it does once
  };
  /// Notes a change of the record. After kEnd a query is due at once, and further ones after short
  /// pauses, because Slurm notices the end of the job a moment later. After kProgress a query is
  /// due as soon as QueryPauses::first has passed since the last query. While such changes
  /// continue, this pause doubles, up to QueryPauses::longest.
  void woken(Clock::time_point now, Wake wake);

 private:
  QueryPauses pauses_;
  Clock::time_point last_;     // time of the query with the newest answer; at first, of creation
  Clock::time_point needed_;   // answers to queries before this time do not count
  Clock::time_point next_;     // time at which a query is due
  Clock::duration pause_;      // present pause between queries
  Clock::duration gap_;        // shortest pause between queries after progress
  bool has_progress_ = false;  // since the last query that was due
};

}  // namespace slipway::slurm
