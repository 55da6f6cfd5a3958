// The containers of apps as the engine reports them, and the requests for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/state/mark.hpp"
#include "slipway/app_state.hpp"
#include "slipway/dict.hpp"
#include "slipway/status.hpp"

namespace slipway::docker {

/// The facts of the engine's list, and below them those of an inspection. When the engine reports
/// the end of a container as an event, its list still shows the container as running for a moment;
/// an inspection waits for the new state.
struct Container {
  std::string id;
  std::string name;  ///< that of the replica's present container, without marks
  Mark mark = Mark::kNone;
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
  std::string address;  ///< in its network; empty if it has none of its own
  TimeNs started_at;
  TimeNs finished_at;

  std::string label(std::string_view name) const;
  std::string app_id() const;
  std::string role() const;
  std::int32_t replica() const;
  std::int32_t attempt() const;        ///< from 1
  std::int32_t app_restarts() const;   ///< before it
  std::int32_t role_restarts() const;  ///< before it
  bool has_started() const { return status != "created"; }
  bool is_live() const;  ///< may still do something
};

/// Returns the request for the containers of one app, or of all apps without an id.
HttpRequest list_request(std::string_view app_id);

/// Reads the answer to list_request(). Throws Error kTemporary for a text that is no such answer.
std::vector<Container> containers_in(const Answer& answer);

/// Adds the facts of an inspection's answer. Throws the engine's error.
void add_inspection(Container& container, const Answer& answer);

/// Returns the state of the attempt: TorchX's for the container's status, and that of its mark if
/// it has one and has ended. UNKNOWN for a status that is not known.
AppState state_of(const Container& container);

/// Returns why the attempt ended; kNone if it has not.
rules::Reason reason_of(const Container& container);

/// Returns the name of the container with the mark. Names of attempts of one replica differ.
std::string marked_name(const Container& container, Mark mark);
/// Returns the name of an attempt that another one follows.
std::string earlier_name(const Container& container);

/// Returns the signal that ended the program: n for the exit code 128 + n, as in shells; otherwise
/// 0.
int signal_of(const Container& container);

}  // namespace slipway::docker
