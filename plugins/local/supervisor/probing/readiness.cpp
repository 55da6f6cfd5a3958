#include "plugins/local/supervisor/probing/readiness.hpp"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/seconds_text.hpp"
#include "plugins/local/supervisor/probing/log_probe.hpp"
#include "plugins/local/supervisor/probing/tcp_probe.hpp"

namespace slipway::local {
namespace {

constexpr std::int64_t kMillisecondNs = 1'000'000;
constexpr std::int64_t kShortestPauseNs = 20 * kMillisecondNs;
constexpr int kLooksAtOnce = 64;  // between two looks at the events

std::string seconds(std::int64_t ms) { return seconds_text(ms) + " s"; }

/// Where a replica's probe connects to; 0 when its port has no number.
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
    any_ = any_ || kind != ReadyProbe::Kind::kNone;
    connects = connects || kind == ReadyProbe::Kind::kTcp;
    uses_commands_ = uses_commands_ || kind == ReadyProbe::Kind::kCommand;
  }
  if (!connects) return;
  epoll_.reset(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) throw system_error(Code::kUnavailable, "cannot make", "an epoll descriptor", errno);
}

const ReadyProbe& Readiness::probe(std::uint32_t index) const {
  return files_.locate(index).first->needs.ready;
}

void Readiness::mark_all() {
  for (std::uint32_t i = 0; any_ && i < replicas_.count(); ++i) {
    if (probe(i).kind == ReadyProbe::Kind::kNone) continue;
    files_.edit(i).flags.fetch_or(kProbed);
    files_.changed(i);
  }
}

void Readiness::clear_left() {
  if (!uses_commands_) return;
  kill_left_probes([this](std::int32_t pid, std::int32_t group) {
    return replicas_.find(pid) != PidTable::kNone ||
           std::any_of(commands_.begin(), commands_.end(),
                       [group](const Command& one) { return one.pid == group; });
  });
}

void Readiness::watch(std::uint32_t index) {
  if (!any_) return;
  const ReadyProbe& probe = this->probe(index);
  const ReplicaRecord record = files_.state().record(index);
  if (probe.kind == ReadyProbe::Kind::kNone || (record.flags.load() & (kReady | kUnready)) != 0)
    return;
  const std::uint32_t attempt = replicas_.attempt(index);
  waiting_[index] = {attempt, record.log_start.load(), {}, false};
  const std::int64_t since = record.window_from_ns.load();
  looks_.push(
      {since + std::min(kShortestPauseNs, probe.interval_ms * kMillisecondNs), index, attempt});
  if (probe.within_ms != 0)
    limits_.push({since + probe.within_ms * kMillisecondNs, index, attempt});
}

bool Readiness::holds(const Due& due) const {
  const auto at = waiting_.find(due.index);
  return at != waiting_.end() && at->second.attempt == due.attempt && !at->second.overdue &&
         replicas_.runs_now(due.index) && replicas_.attempt(due.index) == due.attempt;
}

void Readiness::kill_command(Command& command) {
  command.given_up = true;
  ::kill(-command.pid, SIGKILL);
}

void Readiness::tidy() {
  for (Command& command : commands_) {
    if (!command.given_up && !holds(command.due)) kill_command(command);
  }
  openings_.erase(std::remove_if(openings_.begin(), openings_.end(),
                                 [this](const Opening& one) { return !holds(one.due); }),
                  openings_.end());
}

void Readiness::stop() {
  waiting_.clear();
  tidy();
}

std::int64_t Readiness::next_due() {
  if (!any_) return kNever;
  const auto still = [this](const Due& due) { return holds(due); };
  std::int64_t due = kNever;
  if (const Due* first = limits_.first(still)) due = first->due_ns;
  for (const Command& command : commands_) {
    if (!command.given_up) due = std::min(due, command.due.due_ns);
  }
  for (const Opening& opening : openings_) due = std::min(due, opening.due.due_ns);
  const Due* first = full() ? nullptr : looks_.first(still);
  return first != nullptr ? std::min(due, first->due_ns) : due;
}

void Readiness::on_time(std::int64_t now_ns) {
  if (!any_) return;
  for (Command& command : commands_) {
    if (command.given_up || command.due.due_ns > now_ns) continue;
    kill_command(command);
    not_yet(command.due.index,
            "its command took longer than " + seconds(probe(command.due.index).timeout_ms));
  }
  for (std::size_t i = 0; i < openings_.size();) {
    if (openings_[i].due.due_ns > now_ns) {
      ++i;
      continue;
    }
    const std::uint32_t index = openings_[i].due.index;
    const int error_before = openings_[i].error;
    openings_.erase(openings_.begin() + static_cast<std::ptrdiff_t>(i));
    connected(index, false, ETIMEDOUT, error_before);
  }
  const auto still = [this](const Due& due) { return holds(due); };
  for (int n = 0; n < kLooksAtOnce && !full(); ++n) {
    const Due* first = looks_.first(still);
    if (first == nullptr || first->due_ns > now_ns) return;
    const std::uint32_t index = first->index;
    looks_.pop();
    look(index, now_ns);
  }
}

std::uint32_t Readiness::take_overdue(std::int64_t now_ns) {
  const Due* first = limits_.first([this](const Due& due) { return holds(due); });
  if (first == nullptr || first->due_ns > now_ns) return PidTable::kNone;
  const std::uint32_t index = first->index;
  limits_.pop();
  waiting_[index].overdue = true;
  return index;
}

void Readiness::look(std::uint32_t index, std::int64_t now_ns) {
  const ReadyProbe& probe = this->probe(index);
  switch (probe.kind) {
    case ReadyProbe::Kind::kNone: return;
    case ReadyProbe::Kind::kTcp: return connect(index, now_ns, 0);
    case ReadyProbe::Kind::kLog: return scan(index, now_ns);
    case ReadyProbe::Kind::kCommand: break;
  }
  std::string why;
  const std::int32_t pid = starter_.start(index, why);
  if (pid == 0) return not_yet(index, std::move(why));
  const Due due{boottime_ns() + probe.timeout_ms * kMillisecondNs, index, replicas_.attempt(index)};
  commands_.push_back({pid, due, false});
}

/// Without an address, this machine's two are tried in turn: the second after `error_before`.
void Readiness::connect(std::uint32_t index, std::int64_t now_ns, int error_before) {
  const LaunchGroup& group = *files_.locate(index).first;
  const std::string& given = group.needs.ready.address;
  const char* const local = error_before == 0 ? "127.0.0.1" : "::1";
  const std::uint16_t port = port_of(group);
  OwnedFd socket;
  int error = EADDRNOTAVAIL;
  Connection now = Connection::kDown;
  if (port != 0) now = begin_connection(given.empty() ? local : given.c_str(), port, socket, error);
  if (now != Connection::kOpening)
    return connected(index, now == Connection::kUp, error, error_before);
  epoll_event event{};
  event.events = EPOLLOUT;
  event.data.fd = socket.get();
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket.get(), &event) != 0)
    return connected(index, false, errno, error_before);
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
    const Due due = at->due;
    const int error_before = at->error;
    int error = 0;
    const bool up = end_connection(at->socket.get(), error) == Connection::kUp;
    openings_.erase(at);
    if (holds(due)) connected(due.index, up, error, error_before);
  }
}

void Readiness::connected(std::uint32_t index, bool up, int error, int error_before) {
  if (up) return ready(index);
  const LaunchGroup& group = *files_.locate(index).first;
  const std::string& address = group.needs.ready.address;
  if (address.empty() && error_before == 0) return connect(index, boottime_ns(), error);
  // Where there is no IPv6, that is not what is wrong.
  if (error_before != 0) error = error_before;
  not_yet(index, "no connection to port " + std::to_string(port_of(group)) +
                     (address.empty() ? "" : " of " + address) + ": " + std::strerror(error));
}

void Readiness::scan(std::uint32_t index, std::int64_t now_ns) {
  const auto [group, replica] = files_.locate(index);
  std::unique_ptr<LinePattern>& pattern = patterns_[files_.role_of(index)];
  if (!pattern) pattern = std::make_unique<LinePattern>(group->needs.ready.pattern);
  const std::string path = group->role + '/' + std::to_string(replica) + "/combined.log";
  Waiting& waiting = waiting_[index];
  switch (look_in_log(files_.log_dir_fd(), path, *pattern, waiting.log_offset)) {
    case LogLook::kFound: return ready(index);
    case LogLook::kNotYet: return not_yet(index, "no line of its output matches");
    case LogLook::kMore: looks_.push({now_ns, index, waiting.attempt}); return;
  }
}

bool Readiness::ended(std::int32_t pid, std::int32_t status) {
  const auto at = std::find_if(commands_.begin(), commands_.end(),
                               [pid](const Command& one) { return one.pid == pid; });
  if (at == commands_.end()) return false;
  // What it leaves behind, as long as the number is its own.
  ::kill(-pid, SIGKILL);
  const Command command = *at;
  commands_.erase(at);
  if (command.given_up || !holds(command.due)) return true;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    ready(command.due.index);
  } else if (WIFEXITED(status)) {
    not_yet(command.due.index, "its command exited with " + std::to_string(WEXITSTATUS(status)));
  } else {
    not_yet(command.due.index,
            "its command was killed by signal " + std::to_string(WTERMSIG(status)));
  }
  return true;
}

void Readiness::ready(std::uint32_t index) {
  waiting_.erase(index);
  replicas_.ready(index);
}

void Readiness::not_yet(std::uint32_t index, std::string why) {
  Waiting& waiting = waiting_[index];
  waiting.why = std::move(why);
  const std::int64_t now = boottime_ns();
  const std::int64_t age = now - files_.state().record(index).window_from_ns.load();
  const std::int64_t most = probe(index).interval_ms * kMillisecondNs;
  const std::int64_t pause = std::min(std::max(age / 4, kShortestPauseNs), most);
  looks_.push({now + pause, index, waiting.attempt});
}

std::string Readiness::complaint(std::uint32_t index) const {
  const auto at = waiting_.find(index);
  std::string out = files_.state().replica_name(index) + " was not ready within " +
                    seconds(probe(index).within_ms);
  if (at != waiting_.end() && !at->second.why.empty()) out += ": " + at->second.why;
  return out;
}

}  // namespace slipway::local
