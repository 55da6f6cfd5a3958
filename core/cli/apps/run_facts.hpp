// The facts about a call of `run` that the run record keeps: words, run options, git revision.
#pragma once

#include <sys/types.h>

#include <string>

#include "slipway/dict.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/run_record.hpp"

namespace slipway::cli {

/// Returns the words of a command line without values that look like secrets.
StrList words_without_secrets(const StrList& words);

/// Hides the values of run options that look like secrets.
void hide_secrets(std::vector<RecordedOption>& options);

/// Asks git for the revision of a directory while the command does other work. Starts no process
/// for a directory outside of any repository.
class GitState {
 public:
  explicit GitState(const std::string& directory);
  /// Ends git if it still runs.
  ~GitState();
  GitState(const GitState&) = delete;
  GitState& operator=(const GitState&) = delete;

  /// Sets the revision, and whether tracked files differ from it, if git answers within half a
  /// second of the call and the repository has a commit.
  void read_into(RunRecord& record);

 private:
  /// Returns git's output up to its end; empty if it is late or cannot be read. If git fails, it
  /// has printed nothing.
  std::string answer();

  OwnedFd output_;
  pid_t git_ = -1;
};

}  // namespace slipway::cli
