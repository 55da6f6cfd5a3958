// When to ask Slurm about a job again.
#pragma once

#include <chrono>

namespace slipway::slurm {

/// The pauses between the questions about one job: 1 s at first, half as long again each time, at
/// most 30 s. A change of the job's record makes a question due early, because Slurm soon knows
/// what the record shows. The functions take the time, so that tests choose it. For one thread at a
/// time.
class QuestionPace {
 public:
  using Clock = std::chrono::steady_clock;

  /// The first question is due a second after `now`.
  explicit QuestionPace(Clock::time_point now);

  /// When the next question is due.
  Clock::time_point next() const { return next_; }

  /// Returns whether an answer that was asked for at `asked` spares the question that is due at
  /// `now`: it is younger than the pause, and no older than the last change of the record.
  bool accepts(Clock::time_point asked, Clock::time_point now) const;

  /// Plans the next question after an answer that was asked for at `asked`, by whichever process.
  /// An answer that is older than the last change of the record changes nothing.
  void answered(Clock::time_point asked, Clock::time_point now);

  /// Starts again with short pauses: Slurm reports another state since the question at `asked`.
  void changed(Clock::time_point asked);

  enum class Wake {
    kProgress,  ///< a replica or the job recorded something, as thousands may do in a row
    kEnd        ///< the job recorded its result, which it does once
  };
  /// The record has changed. After kEnd a question is due at once, and then after short pauses,
  /// because Slurm takes a moment to see that the job has ended. After kProgress it is due at once,
  /// but no sooner than a second after the last question; while such changes keep coming, that
  /// second doubles, up to 30 s.
  void woken(Clock::time_point now, Wake wake);

 private:
  Clock::time_point last_;    // the newest answer was asked for then
  Clock::time_point needed_;  // an answer must have been asked for no earlier
  Clock::time_point next_;
  Clock::duration pause_;
  Clock::duration gap_;        // between questions that progress causes
  bool has_progress_ = false;  // since the last question that was due
};

}  // namespace slipway::slurm
