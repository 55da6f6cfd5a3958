#include "plugins/docker/supervisor/container_probe.hpp"

#include <poll.h>

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "plugins/docker/logs/log_frames.hpp"
#include "plugins/docker/request/plan_builder.hpp"
#include "sdk/support/port_macros.hpp"
#include "sdk/support/tcp_probe.hpp"
#include "slipway/error.hpp"
#include "slipway/macros.hpp"

namespace slipway::docker {

namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

constexpr milliseconds kShortestPause{20};
constexpr milliseconds kCommandPause{100};  // between two questions about a running command
constexpr std::size_t kLongestLine = std::size_t{1} << 20;  // bytes; drops the start of longer ones

/// Returns the command with its macros replaced, except those of ports, which rules_for() has
/// replaced. In the first word, the program, replaces only macros of hosts: TorchX's macros do not
/// work in a program.
StrList words_for(const StrList& command, const Container& container, const AppRules& rules) {
  const auto host = [&](const PortMacro& macro) -> std::optional<std::string> {
    if (!macro.port.empty() || !rules.role(macro.role)) return std::nullopt;
    if (container.network == kHostNetwork || container.network == kNoNetwork) return "localhost";
    return container_name(container.app_id(), std::string(macro.role), 0);
  };
  MacroValues values;
  values.app_id = container.app_id();
  values.replica_id = std::to_string(container.replica());
  values.rank0_env = kRank0Variable;
  StrList out = command;
  for (std::string& word : out) word = replace_port_macros(word, host);
  for (std::size_t i = 1; i < out.size(); ++i) out[i] = substitute_macros(out[i], values);
  return out;
}

/// Returns the answer as a JSON object; an empty one for an error or another answer.
json::object object_in(const Answer& answer) {
  boost::system::error_code error;
  json::value parsed = json::parse(answer.body, error);
  return answer.ok() && !error && parsed.is_object() ? std::move(parsed.get_object())
                                                     : json::object();
}

}  // namespace

ContainerProbe::ContainerProbe(const rules::ReadyProbe& probe, const Container& container,
                               const AppRules& rules)
    : probe_(probe), id_(container.id), command_(words_for(probe.command, container, rules)) {
  const std::string own = container.address.empty() ? "127.0.0.1" : container.address;
  address_ = probe.address.empty() ? own : probe.address;
  if (probe.kind == rules::ReadyProbe::Kind::kLog)
    pattern_ = std::make_unique<LinePattern>(probe.pattern, LinePattern::Effort::kQuick);
}

int ContainerProbe::fd() const {
  if (is_ready_) return -1;
  if (socket_) return socket_.get();
  return log_ ? log_->fd() : -1;
}

short ContainerProbe::events() const { return socket_ ? POLLOUT : POLLIN; }

void ContainerProbe::advance(const Engine& engine) {
  if (is_ready_) return;
  try {
    switch (probe_.kind) {
      case rules::ReadyProbe::Kind::kNone: return;
      case rules::ReadyProbe::Kind::kTcp: return socket_ ? end_connection() : connect();
      case rules::ReadyProbe::Kind::kCommand:
        return command_id_.empty() ? run_command(engine) : ask_command(engine);
      case rules::ReadyProbe::Kind::kLog: return read_log(engine);
    }
  } catch (const Error&) {
    log_.reset();
    command_id_.clear();
    try_again();
  }
}

void ContainerProbe::try_again() {
  const auto age = std::chrono::duration_cast<milliseconds>(Clock::now() - begin_);
  const auto most = std::max(milliseconds(probe_.interval_ms), kShortestPause);
  due_ = Clock::now() + std::clamp(age / 4, kShortestPause, most);
}

void ContainerProbe::connect() {
  int error = 0;
  switch (begin_connection(address_.c_str(), probe_.port, socket_, error)) {
    case slipway::Connection::kUp: is_ready_ = true; return;
    case slipway::Connection::kDown: return try_again();
    case slipway::Connection::kOpening:
      due_ = limit_ = Clock::now() + milliseconds(probe_.timeout_ms);
  }
}

void ContainerProbe::end_connection() {
  pollfd socket{socket_.get(), POLLOUT, 0};
  ::poll(&socket, 1, 0);
  if (socket.revents == 0 && Clock::now() < limit_) return;
  int error = 0;
  is_ready_ = socket.revents != 0 &&
              slipway::end_connection(socket_.get(), error) == slipway::Connection::kUp;
  socket_.reset();
  try_again();
}

void ContainerProbe::run_command(const Engine& engine) {
  const HttpRequest create =
      post_request("/containers/" + id_ + "/exec",
                   json::serialize(json::object{{"Cmd", json::value_from(command_)}}));
  const json::object made = object_in(engine.ask(create, Call(), kChangeLimit));
  const json::value* id = made.if_contains("Id");
  if (id == nullptr || !id->is_string()) return try_again();
  const HttpRequest start =
      post_request("/exec/" + std::string(id->get_string()) + "/start", "{\"Detach\":true}");
  if (!engine.ask(start, Call(), kChangeLimit).ok()) return try_again();
  command_id_ = id->get_string();
  limit_ = Clock::now() + milliseconds(probe_.timeout_ms);
  due_ = Clock::now() + kShortestPause;
}

/// Asks the engine whether the command has ended: no event reports its end. The engine cannot end a
/// command, so one that exceeds its limit continues.
void ContainerProbe::ask_command(const Engine& engine) {
  HttpRequest request;
  request.target = "/exec/" + command_id_ + "/json";
  const json::object command = object_in(engine.ask(request, Call()));
  const json::value* running = command.if_contains("Running");
  if (running != nullptr && *running == true && Clock::now() < limit_) {
    due_ = std::min(limit_, Clock::now() + kCommandPause);
    return;
  }
  const json::value* code = command.if_contains("ExitCode");
  is_ready_ = running != nullptr && *running == false && code != nullptr && *code == 0;
  command_id_.clear();
  try_again();
}

void ContainerProbe::read_log(const Engine& engine) {
  if (!log_) {
    HttpRequest request;
    request.target = "/containers/" + id_ + "/logs?follow=1&stdout=1&stderr=1&timestamps=1";
    frames_.clear();
    out_.clear();
    err_.clear();
    log_ = engine.open(request, Call());
    if (!log_->head().ok()) log_.reset();
    due_ = Clock::time_point::max();
    if (!log_) return try_again();
  }
  for (bool is_open = true; is_open && !is_ready_;) {
    const std::size_t before = frames_.size();
    is_open = log_->read(frames_);
    const bool is_more = frames_.size() > before;
    LogFrames().read(frames_, [&](Stream stream, TimeNs, std::string_view message) {
      if (has_line(stream == Stream::kStderr ? err_ : out_, message)) is_ready_ = true;
    });
    if (!is_open) {
      log_.reset();
      return try_again();
    }
    if (!is_more) return;
  }
}

/// Adds the message to `text`, and returns whether a line of it matches.
bool ContainerProbe::has_line(std::string& text, std::string_view message) {
  text += message;
  bool found = false;
  std::size_t start = 0;
  for (std::size_t end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    const std::string_view line = std::string_view(text).substr(start, end + 1 - start);
    found = found || pattern_->search(line) == LinePattern::Result::kYes;
  }
  text.erase(0, text.size() - start > kLongestLine ? text.size() : start);
  return found;
}

}  // namespace slipway::docker
