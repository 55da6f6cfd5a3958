// The progress of pulls and builds, which the engine sends as lines of JSON, for the host's log.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "slipway/host.hpp"

namespace slipway::docker {

/// Reports at most one message in 2 s, and none about an operation that takes less than 2 s.
class PacedReports {
 public:
  explicit PacedReports(const Host& host) : host_(host) {}

  void say(const std::string& message);

 private:
  static constexpr std::chrono::seconds kPause{2};

  Host host_;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + kPause;
};

/// Reads the rest of an answer. Calls `on_object` for each line that is a JSON object, and ignores
/// other lines. Throws Error kTemporary if the engine closes the connection before the end, or
/// sends a line that is too long, and the errors of Patience.
void read_progress(AnswerStream& stream, Patience patience,
                   const std::function<void(const boost::json::object&)>& on_object);

}  // namespace slipway::docker
