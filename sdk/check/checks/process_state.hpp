// The state of the process that belongs to the host, and that no plug-in may change.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <array>
#include <string>

namespace slipway::check {

/// The signal handlers, working directory, umask, locale and environment at the time of its
/// construction.
class ProcessState {
 public:
  ProcessState();
  /// Throws Broken, which names the first difference to the present state.
  void require_unchanged() const;

 private:
  std::array<struct sigaction, NSIG> actions_{};
  std::string directory_;
  std::string locale_;
  std::string variables_;
  mode_t umask_ = 0;
};

/// Throws Broken, which names `what` and quotes the text, if this process or one that it started
/// has written to stdout or stderr. Call it only in the process of a check, where both are one
/// file.
void require_silence(const std::string& what);

}  // namespace slipway::check
