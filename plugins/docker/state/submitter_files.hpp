// What belongs to the user who submitted an app, and to this machine, and so is not in the engine.
#pragma once

#include <optional>
#include <string>

#include "sdk/support/end_command.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::docker {

/// The name of the directory of all apps, in the state directory of the host.
inline constexpr const char* kSubmitterDirectory = "docker";

/// The files of one app, in a directory of its own. Most apps have none.
///
/// Rationale: everything else about an app is in the engine, where images and other users can set
/// it as well. A command that runs as this user must not come from there.
class SubmitterFiles {
 public:
  enum class Owner {
    kNone,   ///< the app was started without one, or its owner gave it up
    kAlive,  ///< the command that owns the app has not ended
    kEnded,
  };

  /// `root` is the directory of all apps. An id that no app can have has no files.
  SubmitterFiles(std::string root, std::string app_id);

  const std::string& root() const { return root_; }

  /// Notes that the process owns the app, until it ends or closes the descriptor. The root must
  /// exist. Throws Error kCantCreate.
  OwnedFd own();
  /// Keeps the command of `on_end`. The root must exist. Throws Error kCantCreate.
  void keep_end_command(const EndCommand& command);

  Owner owner() const;
  bool has_end_command() const;
  /// Returns the command and forgets it; nullopt if there is none, or another process was first.
  std::optional<EndCommand> take_end_command();
  /// Opens the file for the output of the command. Returns no descriptor if it cannot.
  OwnedFd end_log();

  /// Forgets the owner.
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
  std::string directory_;  // empty for an id that no app can have
};

}  // namespace slipway::docker
