#include "tests/bad_plugins/faulty/supervisor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "slipway/macros.hpp"
#include "slipway/owned_fd.hpp"
#include "tests/bad_plugins/faulty/fault.hpp"

namespace faulty {

namespace {

constexpr int kNotFound = 127, kSignalBase = 128;

std::string replaced(const std::string& text, const slipway::MacroValues& macros) {
  return broken("keeps_macros") ? text : slipway::substitute_macros(text, macros);
}

[[noreturn]] void run_replica(const AppStore& store, const std::string& id,
                              const slipway::Role& role, std::int32_t replica, int owner_fd) {
  if (broken("replicas_inherit_owner_fd")) ::fcntl(owner_fd, F_SETFD, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setpgid(0, 0);
  const auto open = [&](const char* stream) {
    return ::open(store.log(id, role.name, replica, stream).c_str(),
                  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  };
  ::dup2(open("out"), 1);
  ::dup2(open("err"), 2);
  const slipway::MacroValues macros{role.image, id, std::to_string(replica), "RANK0_HOST"};
  std::vector<std::string> words{role.entrypoint};
  for (const std::string& arg : role.args) words.push_back(replaced(arg, macros));
  for (const auto& [key, value] : role.env)
    if (!broken("drops_env") && !broken("drops_env_of_its_only_app"))
      ::setenv(key.c_str(), replaced(value, macros).c_str(), 1);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  ::_exit(kNotFound);
}

class Supervisor {
 public:
  Supervisor(const AppStore& store, std::string id, StoredApp app, int owner_fd, int control_fd)
      : store_(store),
        id_(std::move(id)),
        app_(std::move(app)),
        status_(app_.status),
        owner_fd_(owner_fd),
        control_fd_(control_fd) {}

  void run() {
    sigset_t children;
    ::sigemptyset(&children);
    ::sigaddset(&children, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &children, nullptr);
    const slipway::OwnedFd ended(::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK));
    start();
    while (reap()) wait(ended.get());
    status_.finished_ns = now_ns();
    const bool failed =
        std::any_of(status_.replicas.begin(), status_.replicas.end(),
                    [](const auto& one) { return one.state == SLIPWAY_STATE_FAILED; });
    status_.state = cancelled_ ? SLIPWAY_STATE_CANCELLED
                    : failed   ? SLIPWAY_STATE_FAILED
                               : SLIPWAY_STATE_SUCCEEDED;
    store_.save(id_, status_);
  }

 private:
  const slipway::Role& role_of(const StoredReplica& replica) const {
    for (const slipway::Role& role : app_.app.roles)
      if (role.name == replica.role) return role;
    return app_.app.roles.front();
  }

  void start() {
    // Leaves the kit time to cancel before the app is RUNNING.
    if (broken("loses_early_cancel")) ::usleep(300'000);
    status_.state = SLIPWAY_STATE_RUNNING;
    status_.started_ns = now_ns();
    for (StoredReplica& one : status_.replicas) {
      slipway::Role role = role_of(one);
      if (broken("runs_one_program")) role.args = app_.app.roles.front().args;
      one.state = SLIPWAY_STATE_RUNNING;
      one.pid = ::fork();
      if (one.pid == 0) run_replica(store_, id_, role, one.id, owner_fd_);
      if (one.pid < 0) {
        one.state = SLIPWAY_STATE_FAILED;
        continue;
      }
      ::setpgid(static_cast<pid_t>(one.pid), static_cast<pid_t>(one.pid));
    }
    store_.save(id_, status_);
  }

  // Records the replicas that have ended, kills what is left of their process groups, and saves the
  // state. Returns whether a replica still runs.
  bool reap() {
    bool changed = false, runs = false;
    for (StoredReplica& one : status_.replicas) {
      if (one.state != SLIPWAY_STATE_RUNNING) continue;
      int how = 0;
      if (::waitpid(static_cast<pid_t>(one.pid), &how, WNOHANG) == 0) {
        runs = true;
        continue;
      }
      if (!broken("keeps_strays")) ::kill(-static_cast<pid_t>(one.pid), SIGKILL);
      changed = true;
      one.has_exit_code = WIFEXITED(how);
      one.exit_code = one.has_exit_code ? WEXITSTATUS(how) : 0;
      if (WIFSIGNALED(how) && broken("reports_signals_as_a_shell")) {
        one.has_exit_code = true;
        one.exit_code = kSignalBase + WTERMSIG(how);
      }
      one.state = cancelled_                                ? SLIPWAY_STATE_CANCELLED
                  : one.has_exit_code && one.exit_code == 0 ? SLIPWAY_STATE_SUCCEEDED
                                                            : SLIPWAY_STATE_FAILED;
    }
    if (changed && runs) store_.save(id_, status_);
    return runs;
  }

  // Waits for the end of a replica (reported by `signal_fd`), an order to cancel, the end of the
  // owner or the time of the kill. Cancels or kills if that is due; reap() sees ended replicas.
  void wait(int signal_fd) {
    pollfd all[] = {{signal_fd, POLLIN, 0}, {control_fd_, POLLIN, 0}, {owner_fd_, POLLIN, 0}};
    const std::int64_t left = kill_at_ns_ == 0 ? -1 : (kill_at_ns_ - now_ns()) / 1'000'000 + 1;
    ::poll(all, 3, kill_at_ns_ == 0 ? -1 : static_cast<int>(std::max<std::int64_t>(left, 0)));
    signalfd_siginfo info;
    while (::read(signal_fd, &info, sizeof info) > 0) {
    }
    std::int64_t grace_ms = 0;
    if (all[1].revents != 0 && ::read(control_fd_, &grace_ms, sizeof grace_ms) == sizeof grace_ms)
      cancel(grace_ms);
    char byte = 0;
    // 0 is the end of the stream: the owner has ended. A byte is SLIPWAY_OWNER_RELEASE, which this
    // scheduler does not answer, so the owner keeps the app.
    if (owner_fd_ >= 0 && all[2].revents != 0 && ::recv(owner_fd_, &byte, 1, 0) == 0) {
      owner_fd_ = -1;
      cancel(0);
    }
    if (kill_at_ns_ != 0 && now_ns() >= kill_at_ns_) {
      kill_at_ns_ = 0;
      if (!broken("never_kills")) send(SIGKILL);
    }
  }

  void cancel(std::int64_t grace_ms) {
    cancelled_ = true;
    const std::int64_t kill_at = now_ns() + grace_ms * 1'000'000;
    kill_at_ns_ = kill_at_ns_ == 0 ? kill_at : std::min(kill_at_ns_, kill_at);
    send(grace_ms == 0 || broken("ignores_grace") ? SIGKILL : SIGTERM);
  }

  void send(int number) const {
    for (const StoredReplica& one : status_.replicas)
      if (one.state == SLIPWAY_STATE_RUNNING) ::kill(-static_cast<pid_t>(one.pid), number);
  }

  const AppStore& store_;
  std::string id_;
  StoredApp app_;
  StoredStatus status_;
  int owner_fd_;
  int control_fd_;
  bool cancelled_ = false;
  std::int64_t kill_at_ns_ = 0;  // on CLOCK_REALTIME; 0: no kill is due
};

}  // namespace

void start_supervisor(const AppStore& store, const std::string& id, const StoredApp& app,
                      int owner_fd) {
  const std::string path = store.control(id).string();
  ::mkfifo(path.c_str(), 0600);
  // Read and write, so that poll() never reports that the last writer has gone.
  const slipway::OwnedFd control(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  const pid_t child = ::fork();
  if (child != 0) {
    ::waitpid(child, nullptr, 0);
    return;
  }
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = broken("keeps_stdin") ? 1 : 0; fd < 3; ++fd) ::dup2(null, fd);
  const bool keeps_all =
      broken("supervisor_keeps_descriptors") || broken("crashes_beside_its_supervisor");
  for (int fd = 3; fd < 1024 && !keeps_all; ++fd)
    if (fd != owner_fd && fd != control.get()) ::close(fd);
  Supervisor(store, id, app, owner_fd, control.get()).run();
  while (broken("stays_after_the_app") || broken("crashes_beside_its_supervisor")) ::pause();
  ::_exit(0);
}

void order_cancel(const AppStore& store, const std::string& id, std::int64_t grace_ms) {
  const slipway::OwnedFd control(
      ::open(store.control(id).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  // There is no reader after the app has ended.
  if (control) (void)!::write(control.get(), &grace_ms, sizeof grace_ms);
}

}  // namespace faulty
