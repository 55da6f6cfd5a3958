// Signals reach only the process that a handle was made for, even if its pid is used again.
#include "plugins/local/engine/process_handle.hpp"

#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstdint>

namespace slipway::local {
namespace {

/// A child that waits for signals, with the pid `wanted` unless that is 0. If this user may not
/// choose pids, pid() is negative.
class Child {
 public:
  explicit Child(pid_t wanted = 0) {
    clone_args args{};
    args.exit_signal = SIGCHLD;
    if (wanted != 0) {
      args.set_tid = reinterpret_cast<std::uint64_t>(&wanted);
      args.set_tid_size = 1;
    }
    pid_ = static_cast<pid_t>(::syscall(SYS_clone3, &args, sizeof args));
    while (pid_ == 0) ::pause();
  }
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  bool lives() const { return ::waitpid(pid_, nullptr, WNOHANG) == 0; }

 private:
  pid_t pid_ = -1;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(LocalEngineProcessHandle)

BOOST_AUTO_TEST_CASE(signal_reaches_a_process_that_passes_the_check) {
  const Child child;
  const ProcessHandle handle(child.pid(), [] { return true; });
  BOOST_TEST(handle.valid());
  BOOST_TEST(handle.send(SIGKILL));
  handle.await_end();
  siginfo_t info{};
  BOOST_TEST(::waitid(P_PID, static_cast<id_t>(child.pid()), &info, WEXITED | WNOWAIT) == 0);
  BOOST_TEST(info.si_status == SIGKILL);
}

BOOST_AUTO_TEST_CASE(process_that_fails_the_check_gets_no_signal) {
  const Child child;
  const ProcessHandle handle(child.pid(), [] { return false; });
  BOOST_TEST(!handle.valid());
  BOOST_TEST(!handle.send(SIGKILL));
  BOOST_TEST(errno == ESRCH);
  BOOST_TEST(child.lives());
}

BOOST_AUTO_TEST_CASE(later_process_with_the_same_pid_gets_no_signal) {
  Child child;
  const pid_t number = child.pid();
  const ProcessHandle handle(number, [] { return true; });
  child.end();
  const Child stranger(number);
  if (stranger.pid() < 0) {
    BOOST_TEST_MESSAGE("this user may not choose pids");
    return;
  }
  BOOST_TEST(stranger.pid() == number);
  BOOST_TEST(!handle.send(SIGKILL));
  BOOST_TEST(errno == ESRCH);
  BOOST_TEST(stranger.lives());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::local
