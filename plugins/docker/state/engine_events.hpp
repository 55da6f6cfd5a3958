// The host's subscription to the changes of one app, from the engine's events.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::docker {

/// Survives outages of the engine: it connects again after 1 s to 30 s, and then reports a change.
/// The end of the app's helper is also a change, so that its successor can be started.
class EngineEvents : public Events {
 public:
  enum class Of { kApp, kAppAndHelper };

  /// Throws the engine's error.
  EngineEvents(Engine engine, std::string app_id, Of of, const Call& call);

  int fd() const override { return poll_.get(); }
  bool drain() override;

 private:
  void watch(int fd) const;
  void connect(const Call& call);
  void connect_to_helper();
  void retry_later();

  Engine engine_;
  std::string app_id_;
  Of of_;
  HttpRequest request_;
  std::unique_ptr<AnswerStream> stream_;
  OwnedFd helper_;
  std::chrono::seconds pause_{1};
  OwnedFd timer_;
  OwnedFd poll_;  // of the stream, the helper and the timer
};

}  // namespace slipway::docker
