// The helper of an app: how a command starts it, and the link between the two processes.
#pragma once

#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "slipway/error.hpp"
#include "slipway/host.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::docker {

// `slipway-docker-supervisor launch SOCKET DIR APP_ID` is the helper of an app that a command will
// submit. Its stdin is the descriptor of the app's owner, or /dev/null; its stdout is the link; DIR
// is the directory of the submitter's files. Over the link the helper sends kHelperReady, or the
// refusal_text() of the error that keeps it from beginning. The command answers kLaunched when it
// has submitted the app.
//
// `slipway-docker-supervisor recover SOCKET DIR APP_ID` is the successor of a helper that has died.
// Its stdin is the owner's descriptor if the owner starts it, otherwise /dev/null. It has no link.

inline constexpr char kLaunchWord[] = "launch";
inline constexpr char kRecoverWord[] = "recover";
inline constexpr char kHelperName[] = "slipway-docker-supervisor";
inline constexpr char kHelperReady = '+';
inline constexpr char kLaunched = '+';

/// Returns the text of an error for the link: its code, message and hint, with a NUL between them.
std::string refusal_text(const Error& error);
/// Returns the error of a text of refusal_text(), for users. The text may be cut off or empty.
Error refusal_error(const std::string& text);

/// The link to a helper that has begun. If this object is destroyed before report_launch(), or this
/// process dies, the helper removes the app.
class HelperLink {
 public:
  /// Starts the helper of an app that does not exist yet. `root` is that of SubmitterFiles. If
  /// `owner_fd` is not -1, the helper cancels the app when the owner ends. Throws Error
  /// kUnavailable if the helper cannot be started, the helper's error if it cannot begin, and the
  /// errors of Patience while it does not answer.
  HelperLink(const Engine& engine, const std::string& root, const std::string& app_id, int owner_fd,
             const Call& call);

  /// Reports that the app has been submitted.
  void report_launch() const;

 private:
  OwnedFd link_;
};

/// Starts the successor of an app's helper. The arguments are those of HelperLink. If several
/// processes start one, the first stays and the others end. Throws Error kUnavailable if it cannot
/// be started.
void start_successor(const Engine& engine, const std::string& root, const std::string& app_id,
                     int owner_fd);

}  // namespace slipway::docker
