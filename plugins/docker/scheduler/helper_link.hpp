// The helper of an app, a process of its own: its start, and the link to the command that starts
// it.
#pragma once

#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "slipway/host.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::docker {

// `slipway-docker-supervisor launch SOCKET DIR APP_ID` has the owner of the app as stdin (/dev/null
// for none), and the link as stdout; DIR is the directory of the submitter's files. Over the link
// it sends kHelperReady, or a text that says why it cannot begin. The command answers kLaunched
// when it has submitted the app.
// `slipway-docker-supervisor recover SOCKET DIR APP_ID` is the successor of a helper that has died,
// with the owner as stdin if that is what starts it.

inline constexpr char kLaunchWord[] = "launch";
inline constexpr char kRecoverWord[] = "recover";
inline constexpr char kHelperName[] = "slipway-docker-supervisor";
inline constexpr char kHelperReady = '+';
inline constexpr char kLaunched = '+';

/// A helper that has begun. If this is destroyed before launched(), or the process dies, the helper
/// removes the app.
class HelperLink {
 public:
  /// Starts the helper of an app that does not exist yet. `root` is that of SubmitterFiles. With
  /// `owner_fd` (-1: none) the helper cancels the app at the owner's end. Throws Error kUnavailable
  /// if it cannot be started.
  HelperLink(const Engine& engine, const std::string& root, const std::string& app_id, int owner_fd,
             const Call& call);

  /// Reports that the app has been submitted.
  void launched() const;

 private:
  OwnedFd link_;
};

/// Starts the successor of an app's helper, with the same arguments. If several are started, one of
/// them stays. Throws Error kUnavailable if it cannot be started.
void start_successor(const Engine& engine, const std::string& root, const std::string& app_id,
                     int owner_fd);

}  // namespace slipway::docker
