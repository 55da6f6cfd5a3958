// The containers of apps as the engine reports them, and the requests for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/docker/engine/engine.hpp"
#include "slipway/app_state.hpp"
#include "slipway/dict.hpp"
#include "slipway/status.hpp"

namespace slipway::docker {

/// The end of the name of a container whose app was cancelled while it ran. The name is the only
/// fact about a container that can be changed later and is part of the engine's list.
inline constexpr std::string_view kCancelledMark = ".cancelled";

/// The facts of the engine's list, and below them those of an inspection. When the engine reports
/// the end of a container as an event, its list still shows the container as running for a moment;
/// an inspection waits for the new state.
struct Container {
  std::string id;
  std::string name;  ///< without kCancelledMark
  bool is_marked_cancelled = false;
  std::string status;  ///< created, running, exited, ...
  std::optional<std::int32_t> exit_code;
  StrDict labels;
  std::string network;
  std::int64_t created_s = 0;
  StrDict published;  ///< container port -> address on the host

  bool is_inspected = false;
  std::string image_id;
  std::int64_t pid = 0;
  bool is_out_of_memory = false;
  std::string error;
  std::int32_t restarts = 0;
  TimeNs started_at;
  TimeNs finished_at;

  std::string label(std::string_view name) const;
  std::string app_id() const;
  std::string role() const;
  std::int32_t replica() const;
  bool is_live() const;  ///< may still do something
};

/// Returns the request for the containers of one app, or of all apps without an id.
HttpRequest list_request(std::string_view app_id);

/// Reads the answer to list_request(). Throws Error kTemporary for a text that is no such answer.
std::vector<Container> containers_in(const Answer& answer);

/// Adds the facts of an inspection's answer. Throws the engine's error.
void add_inspection(Container& container, const Answer& answer);

/// Returns the state of the replica: TorchX's for the container's status, and CANCELLED for a
/// container that ended after a cancellation. UNKNOWN for a status that is not known.
AppState state_of(const Container& container);

/// Returns the signal that ended the program: n for the exit code 128 + n, as in shells; otherwise
/// 0.
int signal_of(const Container& container);

}  // namespace slipway::docker
