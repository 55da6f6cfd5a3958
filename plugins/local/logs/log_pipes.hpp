// Copies the pipes that replicas write into with LogRules::pipes to stdout.log and stderr.log.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "plugins/local/logs/combined_copier.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Keeps both pipes of each replica open until close_all(): a process that a replica leaves behind
/// may write after its end. For one thread. A call blocks on nothing but the log disk.
class LogPipes {
 public:
  /// `root` and `epoll` are borrowed. Events of `epoll` have the replica's index and kTag as data.
  LogPipes(int root, int epoll) : root_(root), epoll_(epoll) {}

  /// The bit in the data of events that marks those of pipes.
  static constexpr std::uint64_t kTag = std::uint64_t{1} << 32;

  /// Opens the pipes in the directory at `path`, which ends with a slash. A replica without pipes
  /// has nothing to copy.
  void add(std::uint32_t replica, const std::string& path);

  /// Makes the epoll descriptor readable once, when the pipes of the replica are not empty.
  void arm(std::uint32_t replica);

  /// The result of copy().
  struct Copied {
    std::uint64_t bytes = 0;
    int error = 0;          ///< the errno because of which the rest stays in its pipe; 0: none
    std::string_view name;  ///< the file that the error is about
  };
  /// Moves the content of the pipes to the ends of the files, at most about `limit` bytes of each.
  /// Bytes that the disk does not take stay in their pipe, where the replica waits for room.
  Copied copy(std::uint32_t replica, std::uint64_t limit);

  /// Closes all pipes and removes them.
  void close_all();

 private:
  struct Pipes {
    std::string path;             // of the replica's log directory, with a slash at the end
    std::array<OwnedFd, 2> ends;  // of stdout and stderr
  };
  int root_;
  int epoll_;
  std::unordered_map<std::uint32_t, Pipes> pipes_;  // by replica
};

}  // namespace slipway::local
