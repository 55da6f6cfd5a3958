// Starts the helper, `slipway-local-supervisor`, and waits for its acknowledgement.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace slipway::local {

inline constexpr char kHelperName[] = "slipway-local-supervisor";

/// Fixed descriptor numbers in the helper. Descriptors 0, 1 and 2 are /dev/null.
inline constexpr int kHelperLockFd = 3;   // the app's directory, locked
inline constexpr int kHelperAckFd = 4;    // write end of the acknowledgement pipe
inline constexpr int kHelperOwnerFd = 5;  // LaunchRequest::owner_fd; only for an owned app in `run`
inline constexpr int kHelperLogsFd = 6;   // the app's log directory; only in mode `run`
inline constexpr int kHelperLeaseFd = 7;  // first of LaunchRequest::lease_fds; only in mode `run`

// The helper writes one answer to the acknowledgement pipe: kAckByte, or the text of an error. A
// helper that dies writes none.

/// The helper supervises the app. In mode `recover` also: the app is terminal, perhaps because the
/// helper has just repaired its record.
inline constexpr char kAckByte = '\x06';
/// Before the text: the system has too few processes, descriptors, memory or disk space.
inline constexpr char kShortageByte = '\x05';
/// Before the text: the record is beyond repair, and the helper has killed the app's processes.
inline constexpr char kKilledByte = '\x04';

/// Longest time for the acknowledgement. A busy machine needs about a second. A disk that does not
/// answer, or a stopped helper, must not hang the command.
inline constexpr std::chrono::milliseconds kHelperLimit = std::chrono::seconds(60);

/// The input of start_helper(). Descriptors are borrowed; -1: none.
struct HelperStart {
  std::string helper_path;
  const char* mode = "";  ///< `run` or `recover`
  std::string app_dir;
  int lock_fd = -1;
  int owner_fd = -1;
  int logs_fd = -1;
  std::vector<int> lease_fds = {};
  std::chrono::milliseconds limit = kHelperLimit;
};

/// Runs `<helper_path> <mode> <app_dir>` in a process session of its own, without a terminal, with
/// these descriptors only, and with the caller's environment. Returns after the acknowledgement.
///
/// Throws, and leaves no process except one that the kernel cannot end:
///   kUnavailable  the helper's program is missing or may not be executed, or the helper failed or
///                 did not acknowledge within the limit
///   kTemporary    the helper was killed, or the system has a shortage that may pass
///   kInvalid      the record is beyond repair, and the helper has killed the app's processes
void start_helper(const HelperStart& start);

}  // namespace slipway::local
