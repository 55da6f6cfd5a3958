// A subscription to the changes of one app, from the engine's events.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::docker {

/// Reports changes of the app's containers. After an outage of the engine, connects again after
/// pauses of 1 s to 30 s, and then reports a change. With Of::kAppAndHelper, also reports the end
/// of the app's helper as a change, so that the host describes the app and thereby starts a
/// successor.
class EngineEvents : public Events {
 public:
  /// Whose changes are reported.
  enum class Of { kApp, kAppAndHelper };

  /// Connects to the engine. Throws its error.
  EngineEvents(Engine engine, std::string app_id, Of scope, const Call& call);

  int fd() const override { return poll_.get(); }
  bool drain() override;

 private:
  void watch(int fd) const;
  void connect(const Call& call);
  void connect_to_helper();
  void retry_later();

  Engine engine_;
  std::string app_id_;
  Of scope_;
  HttpRequest request_;                   // for the engine's events
  std::unique_ptr<AnswerStream> stream_;  // none during an outage
  OwnedFd helper_;                        // connection to the helper
  std::chrono::seconds pause_{1};         // before the next try to connect
  OwnedFd timer_;                         // expires when the next try to connect is due
  OwnedFd poll_;                          // epoll set of the stream, the helper and the timer
};

}  // namespace slipway::docker
