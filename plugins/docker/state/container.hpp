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

/// A container. The first fields come from the engine's list, those from `is_inspected` on from an
/// inspection, which also replaces `status` and `exit_code`. When the engine reports the end of a
/// container as an event, its list still shows the container as running for a moment, whereas an
/// inspection waits for the new state.
struct Container {
  std::string id;
  std::string name;  ///< without a mark and without the number of the attempt
  Mark mark = Mark::kNone;
  std::string status;  ///< created, running, exited, ...
  std::optional<std::int32_t> exit_code;
  StrDict labels;
  std::string network;         ///< "host", "none" or a name
  std::int64_t created_s = 0;  ///< seconds since the epoch
  StrDict published_ports;     ///< container port -> address on the engine's machine
  std::string image_id;

  bool is_inspected = false;
  std::int64_t pid = 0;  ///< on the engine's machine; 0: not running
  bool is_out_of_memory = false;
  std::string error;          ///< the engine's words about a failed start
  std::int32_t restarts = 0;  ///< restarts by the engine that have begun
  std::string address;        ///< IP address in its network; empty in the network `host`
  TimeNs started_at;
  TimeNs finished_at;

  std::string label(std::string_view name) const;  ///< empty: the container does not have it
  std::string app_id() const;
  std::string role() const;
  std::int32_t replica() const;
  std::int32_t attempt() const;        ///< from 1
  std::int32_t app_restarts() const;   ///< restarts of the app before this attempt
  std::int32_t role_restarts() const;  ///< restarts of the role before this attempt
  bool has_started() const { return status != "created"; }
  bool is_live() const;  ///< its state is not terminal
};

/// Returns the request for the containers of the app, or of all apps if `app_id` is empty.
HttpRequest list_request(std::string_view app_id);

/// Reads the answer to list_request(). Throws Error kTemporary for an answer that it cannot read,
/// and the engine's error.
std::vector<Container> containers_in(const Answer& answer);

/// Adds the facts from the answer to an inspection. Throws as containers_in() does.
void add_inspection(Container& container, const Answer& answer);

/// Returns the state of the attempt. If the container has ended or never started, and has a mark,
/// the mark decides; otherwise the state is TorchX's for the container's status, and UNKNOWN for an
/// unknown status.
AppState state_of(const Container& container);

/// Returns why the attempt ended; kNone if it has not ended.
rules::Reason reason_of(const Container& container);

/// Returns the name that the container gets with the mark. In an app with a supervisor, it has the
/// number of the attempt, so that the names of a replica's attempts differ.
std::string marked_name(const Container& container, Mark mark);
/// Returns the name that an attempt gets when the next one takes the replica's name.
std::string earlier_name(const Container& container);

/// Returns the signal that ended the program; 0 if none did. As in shells, the exit code 128 + n
/// stands for signal n.
int signal_of(const Container& container);

}  // namespace slipway::docker
