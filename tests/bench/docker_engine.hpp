#pragma once

#include <sys/types.h>

#include <string>

#include "slipway/owned_fd.hpp"

namespace slipway::bench {

/// A Docker engine of tests/e2e/docker, which ends with this object.
class DockerEngine {
 public:
  /// Starts an engine and waits until it answers. Throws std::runtime_error if it cannot be
  /// started.
  DockerEngine();
  DockerEngine(const DockerEngine&) = delete;
  DockerEngine& operator=(const DockerEngine&) = delete;
  ~DockerEngine();

  const std::string& socket() const { return socket_; }
  /// Returns the name of its image, which has busybox.
  const std::string& image() const { return image_; }

 private:
  pid_t pid_ = -1;
  OwnedFd stdin_;  // the engine ends when this is closed, which the end of this process also does
  std::string socket_;
  std::string image_;
};

}  // namespace slipway::bench
