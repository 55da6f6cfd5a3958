// Starting `slipway-local-supervisor` and hearing whether it took over.
#pragma once

#include <string>
#include <vector>

namespace slipway::local {

/// Descriptors that the helper finds at fixed numbers, besides 0, 1 and 2 (all /dev/null).
inline constexpr int kHelperLockFd = 3;   // the app's directory, locked
inline constexpr int kHelperAckFd = 4;    // write end of the acknowledgement pipe
inline constexpr int kHelperOwnerFd = 5;  // the owner's, only for an owned app under `run`
inline constexpr int kHelperLeaseFd = 6;  // first of LaunchRequest::lease_fds, only under `run`

/// What the helper writes to the pipe: kAckByte alone, or the text of what failed. Nothing at all:
/// it died.
inline constexpr char kAckByte = '\x06';

/// Runs `<helper_path> <mode> <app_dir>` in a session of its own, without terminal, with these
/// descriptors (`owner_fd` may be -1) and no others, and the caller's environment. Returns when the
/// helper has acknowledged. Throws kUnavailable when it cannot be started or failed, kTemporary when
/// it was killed or the system is short of something; no process is left then.
void start_helper(const std::string& helper_path, const char* mode, const std::string& app_dir,
                  int lock_fd, int owner_fd, const std::vector<int>& lease_fds);

}  // namespace slipway::local
