// Signals for listed processes: who gets them when the number has changed hands.
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

/// A child that waits for signals, with the number `wanted` unless that is 0. Its pid is negative
/// where this user may not choose numbers.
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

BOOST_AUTO_TEST_SUITE(process_handle)

BOOST_AUTO_TEST_CASE(signal_reaches_the_process_that_is_meant) {
  const Child child;
  const ProcessHandle handle(child.pid(), [] { return true; });
  BOOST_TEST(handle.valid());
  BOOST_TEST(handle.send(SIGKILL));
  handle.await_end();
  siginfo_t info{};
  BOOST_TEST(::waitid(P_PID, static_cast<id_t>(child.pid()), &info, WEXITED | WNOWAIT) == 0);
  BOOST_TEST(info.si_status == SIGKILL);
}

BOOST_AUTO_TEST_CASE(process_that_is_not_meant_gets_no_signal) {
  const Child child;
  const ProcessHandle handle(child.pid(), [] { return false; });
  BOOST_TEST(!handle.valid());
  BOOST_TEST(!handle.send(SIGKILL));
  BOOST_TEST(errno == ESRCH);
  BOOST_TEST(child.lives());
}

BOOST_AUTO_TEST_CASE(process_that_got_the_number_gets_no_signal) {
  Child child;
  const pid_t number = child.pid();
  const ProcessHandle handle(number, [] { return true; });
  child.end();
  const Child stranger(number);
  if (stranger.pid() < 0) {
    BOOST_TEST_MESSAGE("this user may not choose process numbers");
    return;
  }
  BOOST_TEST(stranger.pid() == number);
  BOOST_TEST(!handle.send(SIGKILL));
  BOOST_TEST(errno == ESRCH);
  BOOST_TEST(stranger.lives());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::local
