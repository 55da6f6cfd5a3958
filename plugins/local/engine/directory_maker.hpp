// Making a directory with all that it lies in, so that no other user can lead the way elsewhere.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway::local {

/// Opens and makes directories, and takes back what it made. Each level is opened below the
/// descriptor of the level before, so a path that another user changes meanwhile leads nowhere.
class DirectoryMaker {
 public:
  /// `what` names the directory in messages ("log directory"); `hint` says what to do when another
  /// user is in the way.
  DirectoryMaker(std::string what, std::string hint)
      : what_(std::move(what)), hint_(std::move(hint)) {}

  /// Opens `path` (absolute), and makes what is missing of it with `mode`. Throws kCantCreate with
  /// path, reason and hint; also when something is missing, or `check_place` is set, and another
  /// user may rename what lies there (distrust_place()). With `check_place` no link that another
  /// user made may be part of the path.
  OwnedFd open_path(const std::string& path, mode_t mode, bool check_place);

  /// Opens `name` in `parent_fd`, or makes it when it is missing. The result belongs to the caller,
  /// and no other user may write to it; else throws kCantCreate. `path` is for messages.
  OwnedFd open_own(int parent_fd, const std::string& name, mode_t mode, const std::string& path);

  /// The same for a directory that must not exist: empty when it does.
  OwnedFd make_own(int parent_fd, const std::string& name, mode_t mode, const std::string& path);

  /// Removes the directories that this object made and that are empty, newest first.
  void take_back();

  /// Throws the reason `error` why `path` cannot be made, with what to do about it.
  [[noreturn]] void fail(const std::string& path, int error) const;

 private:
  struct Made {
    OwnedFd parent;
    std::string name;
  };
  OwnedFd checked(OwnedFd dir, const std::string& name, const std::string& path) const;
  [[noreturn]] void refuse(const std::string& path, const std::string& why) const;

  std::string what_;
  std::string hint_;
  std::vector<Made> made_;
};

}  // namespace slipway::local
