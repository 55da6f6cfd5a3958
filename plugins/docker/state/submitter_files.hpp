// The facts about an app that only the user who submitted it keeps, on this machine, and not in the
// engine.
#pragma once

#include <optional>
#include <string>

#include "sdk/support/end_command.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::docker {

/// The name of the directory of all apps, in the state directory of the host.
inline constexpr const char* kSubmitterDirectory = "docker";

/// The files of one app, in its own directory. Most apps have none. If another user owns this
/// directory or the root, or may write to one of them, the app counts as one without files.
///
/// Rationale: all other facts about an app are in the engine, where images and other users can also
/// set them. A command that runs as this user must not come from there.
class SubmitterFiles {
 public:
  enum class Owner {
    kNone,   ///< the app was started without one, or its owner gave it up
    kAlive,  ///< the command that owns the app has not ended
    kEnded,  ///< the command that owned the app has ended
  };

  /// `root` is the directory of all apps. For a text that is not a valid app id, there are no
  /// files.
  SubmitterFiles(std::string root, std::string app_id);

  const std::string& root() const { return root_; }

  /// Records that this process owns the app until it ends or closes the returned descriptor. The
  /// root must exist. Throws Error kCantCreate.
  OwnedFd own();
  /// Writes the command of `on_end`. The root must exist. Throws Error kCantCreate.
  void keep_end_command(const EndCommand& command);

  Owner owner() const;
  bool has_end_command() const;
  /// Removes the command and returns it; nullopt if there is none, or if another process took it
  /// first.
  std::optional<EndCommand> take_end_command();
  /// Opens the file for the output of the command. Returns no descriptor if that fails.
  OwnedFd open_end_log();

  /// Removes the owner's file, so that the app has no owner.
  void give_up();
  /// Removes the files except the output of the command.
  void forget();
  /// Removes all files.
  void remove();

 private:
  std::string path_of(const char* name) const;
  bool is_trusted() const;
  OwnedFd create(const char* name);

  std::string root_;
  std::string directory_;  // empty for an invalid app id
};

}  // namespace slipway::docker
