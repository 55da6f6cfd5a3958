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

/// Probes the container until it is ready. The pauses between probes grow with its age, up to the
/// probe's interval. Waits for the engine alone, never for the container. Not thread safe.
class ContainerProbe {
 public:
  using Clock = std::chrono::steady_clock;

  /// `probe` must outlive this; its kind is not kNone. `container` is inspected and runs. `rules`
  /// are those of its app.
  ContainerProbe(const rules::ReadyProbe& probe, const Container& container, const AppRules& rules);

  bool is_ready() const { return is_ready_; }
  /// Returns a descriptor for poll() with the events, or -1.
  int fd() const;
  short events() const;
  /// Returns when advance() must be called without an event.
  Clock::time_point due() const { return due_; }
  /// Does what is due. A failure of the engine is a probe that did not pass.
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
  std::string id_;
  std::string address_;
  StrList command_;
  bool is_ready_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point due_ = begin_;
  Clock::time_point limit_;  // of the connection or command
  OwnedFd socket_;           // a connection that opens
  std::string command_id_;   // a command that runs
  std::unique_ptr<AnswerStream> log_;
  std::unique_ptr<LinePattern> pattern_;
  std::string frames_;
  std::string out_;  // the beginning of a line of stdout
  std::string err_;
};

}  // namespace slipway::docker
