// The readiness probe of one container.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/request/app_rules.hpp"
#include "plugins/docker/state/container.hpp"
#include "sdk/support/line_pattern.hpp"
#include "sdk/support/rules/start_rules.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::docker {

/// Probes the container until it is ready. The pauses between probes grow with the age of this
/// object, up to the probe's interval. Waits for answers of the engine, but never for the
/// container. Not thread-safe.
class ContainerProbe {
 public:
  using Clock = std::chrono::steady_clock;

  /// `probe` must outlive this object; its kind is not kNone. `container` is inspected and runs.
  /// `rules` are those of its app.
  ContainerProbe(const rules::ReadyProbe& probe, const Container& container, const AppRules& rules);

  bool is_ready() const { return is_ready_; }
  /// Returns a descriptor for poll(), or -1.
  int fd() const;
  /// Returns the events for poll() on fd().
  short events() const;
  /// Returns when advance() must be called without an event.
  Clock::time_point due() const { return due_; }
  /// Begins the next probe, or continues the present one. A failure of the engine counts as a probe
  /// that did not pass.
  void advance(const Engine& engine);

 private:
  void connect();
  void end_connection();
  void run_command(const Engine& engine);
  void ask_command(const Engine& engine);
  void read_log(const Engine& engine);
  bool has_line(std::string& text, std::string_view message);
  void try_again();

  const rules::ReadyProbe& probe_;
  std::string id_;       // of the container
  std::string address_;  // of the TCP probe
  StrList command_;
  bool is_ready_ = false;
  Clock::time_point begin_ = Clock::now();  // of the first probe
  Clock::time_point due_ = begin_;
  Clock::time_point limit_;  // time limit of the connection or command
  OwnedFd socket_;           // a connection that is opening
  std::string command_id_;   // the engine's id of a running command
  std::unique_ptr<AnswerStream> log_;
  std::unique_ptr<LinePattern> pattern_;  // of the line that the log probe waits for
  std::string frames_;                    // the beginning of a frame of the log
  std::string out_;                       // the beginning of a line of stdout
  std::string err_;                       // the beginning of a line of stderr
};

}  // namespace slipway::docker
