// Makes a directory and its missing parents, so that no other user can redirect the path.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "slipway/owned_fd.hpp"

namespace slipway {

/// The hint for directories below the state directory.
inline constexpr char kStateHint[] =
    "set XDG_STATE_HOME, or state_dir of the scheduler in a configuration file, to a directory of "
    "your own that only you may write to";

/// Opens and makes directories, and can remove those that it made. Makes each level through the
/// descriptor of its parent, so another user gains nothing by changing the path meanwhile.
class DirectoryMaker {
 public:
  /// `what` names the directory in messages ("log directory"). `hint` says what to do if the path
  /// cannot be used.
  DirectoryMaker(std::string what, std::string hint)
      : what_(std::move(what)), hint_(std::move(hint)) {}

  /// Opens `path` (absolute), and makes its missing levels with `mode`. Throws kCantCreate with
  /// path, reason and hint. If a level is missing or `check_place` is set, also throws if another
  /// user may rename a level (distrust_place()). With `check_place` also throws if a level is a
  /// link that neither the caller nor root made.
  OwnedFd open_path(const std::string& path, mode_t mode, bool check_place);

  /// Opens `name` in `parent_fd`, or makes it. Throws kCantCreate unless the directory belongs to
  /// the caller and no other user may write to it. Gives the caller all permissions for it. `path`
  /// is for messages.
  OwnedFd open_own(int parent_fd, const std::string& name, mode_t mode, const std::string& path);

  /// Opens the directory `root` (absolute) and in turn the levels `below` it ("slipway/app-1"), and
  /// makes the missing ones with mode 0700. Checks `root` and each level as open_own() does; `root`
  /// may be a link.
  OwnedFd open_own_levels(const std::string& root, const std::string& below);

  /// Makes `name` in `parent_fd`, with the guarantees of open_own(). Returns no descriptor if it
  /// exists already.
  OwnedFd make_own(int parent_fd, const std::string& name, mode_t mode, const std::string& path);

  /// Removes the directories that this object made and that are still empty, newest first.
  void take_back();

  /// Throws kCantCreate for `path`, with the text of errno `error`, and a hint if one is known.
  [[noreturn]] void fail(const std::string& path, int error) const;

 private:
  /// A directory that this object made.
  struct Made {
    OwnedFd parent;
    std::string name;
  };
  /// Returns `dir` after the checks of open_own(). Throws kCantCreate if they fail, or `dir` is not
  /// open.
  OwnedFd checked(OwnedFd dir, const std::string& name, const std::string& path) const;
  [[noreturn]] void refuse(const std::string& path, const std::string& why) const;

  std::string what_;
  std::string hint_;
  std::vector<Made> made_;
};

}  // namespace slipway
