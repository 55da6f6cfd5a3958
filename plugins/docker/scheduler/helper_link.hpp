// The helper of an app, a process of its own: its start, and the link to the command that starts
// it.
#pragma once

#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "slipway/host.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::docker {

// `slipway-docker-supervisor SOCKET APP_ID` has the owner of the app as stdin (/dev/null for none),
// and the link as stdout. Over the link it sends kHelperReady, or a text that says why it cannot
// begin. The command answers kLaunched when all containers have started.

inline constexpr char kHelperName[] = "slipway-docker-supervisor";
inline constexpr char kHelperReady = '+';
inline constexpr char kLaunched = '+';

/// A helper that has begun. If this is destroyed before launched(), or the process dies, the helper
/// removes the app.
class HelperLink {
 public:
  /// Starts the helper of an app that does not exist yet. With `owner_fd` (-1: none) it cancels the
  /// app at the owner's end. Throws Error kUnavailable if it cannot be started.
  HelperLink(const Engine& engine, const std::string& app_id, int owner_fd, const Call& call);

  /// Reports that the app has been submitted.
  void launched() const;

 private:
  OwnedFd link_;
};

}  // namespace slipway::docker
