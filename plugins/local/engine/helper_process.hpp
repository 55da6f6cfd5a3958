// Starting `slipway-local-supervisor` and hearing whether it took over.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace slipway::local {

/// Descriptors that the helper finds at fixed numbers, besides 0, 1 and 2 (all /dev/null).
inline constexpr int kHelperLockFd = 3;   // the app's directory, locked
inline constexpr int kHelperAckFd = 4;    // write end of the acknowledgement pipe
inline constexpr int kHelperOwnerFd = 5;  // the owner's, only for an owned app under `run`
inline constexpr int kHelperLogsFd = 6;   // the app's log directory, only under `run`
inline constexpr int kHelperLeaseFd = 7;  // first of LaunchRequest::lease_fds, only under `run`

/// The helper writes to the pipe kAckByte alone, or the text of what failed. kShortageByte comes
/// before the text when the system is short of something, and kKilledByte when the record is
/// damaged beyond repair and the helper has killed what ran of the app. A helper that dies writes
/// nothing.
inline constexpr char kAckByte = '\x06';
inline constexpr char kShortageByte = '\x05';
inline constexpr char kKilledByte = '\x04';

/// How long a helper may take to acknowledge. A busy machine needs a second; a disk that does not
/// answer, or a helper that was stopped, must not hang the command.
inline constexpr std::chrono::milliseconds kHelperLimit = std::chrono::seconds(60);

/// What a helper is started with. Descriptors are borrowed; -1 stands for none.
struct HelperStart {
  std::string helper_path;
  const char* mode = "";
  std::string app_dir;
  int lock_fd = -1;
  int owner_fd = -1;
  int logs_fd = -1;
  std::vector<int> lease_fds = {};
  std::chrono::milliseconds limit = kHelperLimit;
};

/// Runs `<helper_path> <mode> <app_dir>` in a session of its own, without terminal, with these
/// descriptors and no others, and the caller's environment. Returns when the helper has
/// acknowledged. Throws kUnavailable when it cannot be started, failed or did not acknowledge
/// within the limit, kTemporary when it was killed or the system is short of something; no process
/// is left then, but for one that the kernel cannot end. Throws kInvalid when the record is damaged
/// beyond repair and the helper has killed what ran of the app.
void start_helper(const HelperStart& start);

}  // namespace slipway::local
