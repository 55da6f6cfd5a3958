#include "plugins/local/supervisor/probing/readiness.hpp"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "plugins/local/engine/app_rules.hpp"
#include "plugins/local/engine/clocks.hpp"
#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/supervisor/probing/log_probe.hpp"

namespace slipway::local {
namespace {

constexpr std::int64_t kMillisecondNs = 1'000'000;
constexpr std::int64_t kShortestPauseNs = 20 * kMillisecondNs;
constexpr int kProbesPerCall = 64;  // so that the event loop looks at other events in between

std::string seconds(std::int64_t ms) { return seconds_text(ms) + " s"; }

/// Returns the port that a replica's probe connects to; 0 if its named port has no number.
std::uint16_t port_of(const LaunchGroup& group) {
  const ReadyProbe& probe = group.needs.ready;
  if (probe.port_name.empty()) return probe.port;
  for (const auto& [name, number] : group.ports) {
    if (name == probe.port_name) return number;
  }
  return 0;
}

}  // namespace

Readiness::Readiness(AppFiles& files, Replicas& replicas, const std::optional<rlimit>& open_files)
    : files_(files), replicas_(replicas), starter_(files, open_files) {
  bool connects = false;
  for (const LaunchGroup& group : files.plan().groups) {
    const ReadyProbe::Kind kind = group.needs.ready.kind;
    has_any_ = has_any_ || kind != ReadyProbe::Kind::kNone;
    connects = connects || kind == ReadyProbe::Kind::kTcp;
    uses_commands_ = uses_commands_ || kind == ReadyProbe::Kind::kCommand;
  }
  if (!connects) return;
  epoll_.reset(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) throw system_error(Code::kUnavailable, "cannot make", "an epoll descriptor", errno);
}

const ReadyProbe& Readiness::probe_of(std::uint32_t index) const {
  return files_.locate(index).first->needs.ready;
}

void Readiness::mark_all() {
  for (std::uint32_t i = 0; has_any_ && i < replicas_.count(); ++i) {
    if (probe_of(i).kind == ReadyProbe::Kind::kNone) continue;
    files_.edit(i).head.flags.fetch_or(kProbed);
    files_.changed(i);
  }
}

void Readiness::kill_leftover_commands() {
  if (!uses_commands_) return;
  kill_leftover_probes([this](std::int32_t pid, std::int32_t group) {
    return replicas_.find(pid) != kNoReplica ||
           std::any_of(commands_.begin(), commands_.end(),
                       [group](const Command& one) { return one.pid == group; });
  });
}

void Readiness::watch(std::uint32_t index) {
  if (!has_any_) return;
  const ReadyProbe& probe = probe_of(index);
  const ReplicaEntry entry = files_.state().entry(index);
  if (probe.kind == ReadyProbe::Kind::kNone || (entry.head.flags.load() & (kReady | kUnready)) != 0)
    return;
  const std::uint32_t attempt = replicas_.attempt(index);
  waiting_[index] = {attempt, entry.tail.log_start.load(), {}, false};
  const std::int64_t since = entry.tail.window_from_ns.load();
  probes_.push(
      {since + std::min(kShortestPauseNs, probe.interval_ms * kMillisecondNs), index, attempt});
  if (probe.within_ms != 0)
    limits_.push({since + probe.within_ms * kMillisecondNs, index, attempt});
}

bool Readiness::is_current(const Due& due) const {
  const auto at = waiting_.find(due.index);
  return at != waiting_.end() && at->second.attempt == due.attempt && !at->second.overdue &&
         replicas_.is_running(due.index) && replicas_.attempt(due.index) == due.attempt;
}

void Readiness::kill_command(Command& command) {
  command.was_killed = true;
  ::kill(-command.pid, SIGKILL);
}

void Readiness::drop_obsolete() {
  for (Command& command : commands_) {
    if (!command.was_killed && !is_current(command.timeout)) kill_command(command);
  }
  openings_.erase(std::remove_if(openings_.begin(), openings_.end(),
                                 [this](const Opening& one) { return !is_current(one.timeout); }),
                  openings_.end());
}

void Readiness::stop() {
  waiting_.clear();
  drop_obsolete();
}

std::int64_t Readiness::next_due() {
  if (!has_any_) return kNever;
  const auto is_valid = [this](const Due& due) { return is_current(due); };
  std::int64_t due = kNever;
  if (const Due* first = limits_.first(is_valid)) due = first->due_ns;
  for (const Command& command : commands_) {
    if (!command.was_killed) due = std::min(due, command.timeout.due_ns);
  }
  for (const Opening& opening : openings_) due = std::min(due, opening.timeout.due_ns);
  const Due* first = is_full() ? nullptr : probes_.first(is_valid);
  return first != nullptr ? std::min(due, first->due_ns) : due;
}

void Readiness::on_time(std::int64_t now_ns) {
  if (!has_any_) return;
  // An event of this turn may have recorded the end of a replica. A probe of it must not make it
  // ready.
  drop_obsolete();
  for (Command& command : commands_) {
    if (command.was_killed || command.timeout.due_ns > now_ns) continue;
    kill_command(command);
    try_again(command.timeout.index, "its command took longer than " +
                                         seconds(probe_of(command.timeout.index).timeout_ms));
  }
  for (std::size_t i = 0; i < openings_.size();) {
    if (openings_[i].timeout.due_ns > now_ns) {
      ++i;
      continue;
    }
    const std::uint32_t index = openings_[i].timeout.index;
    const int error_before = openings_[i].error_before;
    openings_.erase(openings_.begin() + static_cast<std::ptrdiff_t>(i));
    connection_ended(index, Connection::kDown, ETIMEDOUT, error_before);
  }
  const auto is_valid = [this](const Due& due) { return is_current(due); };
  for (int n = 0; n < kProbesPerCall && !is_full(); ++n) {
    const Due* first = probes_.first(is_valid);
    if (first == nullptr || first->due_ns > now_ns) return;
    const std::uint32_t index = first->index;
    probes_.pop();
    probe(index, now_ns);
  }
}

std::uint32_t Readiness::take_overdue(std::int64_t now_ns) {
  const Due* first = limits_.first([this](const Due& due) { return is_current(due); });
  if (first == nullptr || first->due_ns > now_ns) return kNoReplica;
  const std::uint32_t index = first->index;
  limits_.pop();
  waiting_[index].overdue = true;
  return index;
}

/// Begins a probe. Completes it at once if that takes no time.
void Readiness::probe(std::uint32_t index, std::int64_t now_ns) {
  switch (probe_of(index).kind) {
    case ReadyProbe::Kind::kNone: return;
    case ReadyProbe::Kind::kTcp: return connect(index, now_ns, 0);
    case ReadyProbe::Kind::kLog: return scan(index, now_ns);
    case ReadyProbe::Kind::kCommand: return run_command(index);
  }
}

void Readiness::run_command(std::uint32_t index) {
  std::string why;
  const std::int32_t pid = starter_.start(index, why);
  if (pid == 0) return try_again(index, std::move(why));
  const Due due{boottime_ns() + probe_of(index).timeout_ms * kMillisecondNs, index,
                replicas_.attempt(index)};
  commands_.push_back({pid, due, false});
}

/// Begins to connect. A probe without an address tries 127.0.0.1 first; if that failed with
/// `error_before` (not 0), it tries ::1.
void Readiness::connect(std::uint32_t index, std::int64_t now_ns, int error_before) {
  const LaunchGroup& group = *files_.locate(index).first;
  const std::string& given = group.needs.ready.address;
  const char* const local = error_before == 0 ? "127.0.0.1" : "::1";
  const std::uint16_t port = port_of(group);
  OwnedFd socket;
  int error = EADDRNOTAVAIL;
  Connection result = Connection::kDown;
  if (port != 0)
    result = begin_connection(given.empty() ? local : given.c_str(), port, socket, error);
  if (result != Connection::kOpening) return connection_ended(index, result, error, error_before);
  epoll_event event{};
  event.events = EPOLLOUT;
  event.data.fd = socket.get();
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket.get(), &event) != 0)
    return connection_ended(index, Connection::kDown, errno, error_before);
  const Due due{now_ns + group.needs.ready.timeout_ms * kMillisecondNs, index,
                replicas_.attempt(index)};
  openings_.push_back({std::move(socket), due, error_before});
}

void Readiness::on_event() {
  epoll_event events[kMostAtOnce];
  const int n = ::epoll_wait(epoll_.get(), events, static_cast<int>(kMostAtOnce), 0);
  for (int i = 0; i < n; ++i) {
    const auto at = std::find_if(openings_.begin(), openings_.end(), [&](const Opening& one) {
      return one.socket.get() == events[i].data.fd;
    });
    if (at == openings_.end()) continue;
    const Due due = at->timeout;
    const int error_before = at->error_before;
    int error = 0;
    const Connection result = end_connection(at->socket.get(), error);
    openings_.erase(at);
    if (is_current(due)) connection_ended(due.index, result, error, error_before);
  }
}

/// Handles the outcome of a connection, kUp or kDown with the errno `error`.
void Readiness::connection_ended(std::uint32_t index, Connection result, int error,
                                 int error_before) {
  if (result == Connection::kUp) return mark_ready(index);
  const LaunchGroup& group = *files_.locate(index).first;
  const std::string& address = group.needs.ready.address;
  if (address.empty() && error_before == 0) return connect(index, boottime_ns(), error);
  // The second error may only say that the machine has no IPv6.
  if (error_before != 0) error = error_before;
  try_again(index, "no connection to port " + std::to_string(port_of(group)) +
                       (address.empty() ? "" : " of " + address) + ": " + std::strerror(error));
}

void Readiness::scan(std::uint32_t index, std::int64_t now_ns) {
  const auto [group, replica] = files_.locate(index);
  std::unique_ptr<LinePattern>& pattern = patterns_[files_.role_of(index)];
  if (!pattern) {
    pattern =
        std::make_unique<LinePattern>(group->needs.ready.pattern, LinePattern::Effort::kQuick);
  }
  const std::string path = group->role + '/' + std::to_string(replica) + "/combined.log";
  Waiting& waiting = waiting_[index];
  switch (scan_log(files_.log_dir_fd(), path, *pattern, waiting.log_offset)) {
    case LogScan::kFound: return mark_ready(index);
    case LogScan::kNoMatch: return try_again(index, "no line of its output matches");
    case LogScan::kMore: probes_.push({now_ns, index, waiting.attempt}); return;
  }
}

bool Readiness::command_ended(std::int32_t pid, std::int32_t status) {
  const auto at = std::find_if(commands_.begin(), commands_.end(),
                               [pid](const Command& one) { return one.pid == pid; });
  if (at == commands_.end()) return false;
  // Kills what the command has left in its group, while the pid is still its own.
  ::kill(-pid, SIGKILL);
  const Command command = *at;
  commands_.erase(at);
  if (command.was_killed || !is_current(command.timeout)) return true;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    mark_ready(command.timeout.index);
  } else if (WIFEXITED(status)) {
    try_again(command.timeout.index,
              "its command exited with " + std::to_string(WEXITSTATUS(status)));
  } else {
    try_again(command.timeout.index,
              "its command was killed by signal " + std::to_string(WTERMSIG(status)));
  }
  return true;
}

void Readiness::mark_ready(std::uint32_t index) {
  waiting_.erase(index);
  replicas_.record_ready(index);
}

void Readiness::try_again(std::uint32_t index, std::string why) {
  Waiting& waiting = waiting_[index];
  waiting.why = std::move(why);
  const std::int64_t now = boottime_ns();
  const std::int64_t age = now - files_.state().tail(index).window_from_ns.load();
  const std::int64_t most = probe_of(index).interval_ms * kMillisecondNs;
  // A probe every quarter of the age finds a replica at most a quarter later than it became ready.
  const std::int64_t pause = std::min(std::max(age / 4, kShortestPauseNs), most);
  probes_.push({now + pause, index, waiting.attempt});
}

std::string Readiness::failure_text(std::uint32_t index) const {
  const auto at = waiting_.find(index);
  std::string out = files_.state().replica_name(index) + " was not ready within " +
                    seconds(probe_of(index).within_ms);
  if (at != waiting_.end() && !at->second.why.empty()) out += ": " + at->second.why;
  return out;
}

}  // namespace slipway::local
