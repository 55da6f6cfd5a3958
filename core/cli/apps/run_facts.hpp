// The facts about a call of `run` that the run record keeps: words, run options, git revision.
#pragma once

#include <sys/types.h>

#include <string>

#include "slipway/dict.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/run_record.hpp"

namespace slipway::cli {

/// Returns the words of a command line, with <redacted> in place of each value that looks like a
/// secret.
StrList words_without_secrets(const StrList& words);

/// Replaces values of run options that look like secrets by <redacted>.
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

  /// Sets the revision, and whether tracked files differ from it, if the repository has a commit.
  /// Waits for git's answer for at most half a second, and sets nothing if it is late.
  void read_into(RunRecord& record);

 private:
  /// Returns git's output up to its end; empty if it is late, cannot be read, or git fails: then
  /// git prints nothing, so its exit status does not matter.
  std::string answer();

  OwnedFd output_;
  pid_t git_ = -1;
};

}  // namespace slipway::cli
