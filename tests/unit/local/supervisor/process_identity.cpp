// Whether a process is the recorded one, and how it ended.
#include "plugins/local/supervisor/processes/process_identity.hpp"

#include <grp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <thread>

#include "plugins/local/engine/clocks.hpp"
#include "tests/unit/descriptor_limit.hpp"

namespace slipway::local {
namespace {

/// The entry of a replica that runs as a child of the test.
struct RecordedChild {
  RecordedChild() {
    tail.window_from_ns.store(boottime_ns());
    pid = ::fork();
    if (pid == 0) {
      ::pause();
      ::_exit(1);
    }
    tail.window_to_ns.store(boottime_ns());
    record(pid);
  }
  ~RecordedChild() {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  RecordedChild(const RecordedChild&) = delete;
  RecordedChild& operator=(const RecordedChild&) = delete;

  void record(std::int32_t recorded) {
    head.word.store(make_word(RecordState::kRunning, 1, recorded));
  }
  ReplicaEntry entry() { return {head, tail}; }
  /// Ends the child, which becomes a zombie.
  void end() const {
    siginfo_t info{};
    BOOST_TEST_REQUIRE(::kill(pid, SIGTERM) == 0);
    BOOST_TEST_REQUIRE(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) == 0);
  }

  ReplicaHead head{};
  ReplicaTail tail{};
  pid_t pid = -1;
};

BOOST_FIXTURE_TEST_SUITE(ProcessIdentity, RecordedChild)

BOOST_AUTO_TEST_CASE(running_process_is_found) {
  const OwnedFd process = open_recorded(entry());
  BOOST_REQUIRE(process);
  std::int32_t status = 0;
  BOOST_TEST((ending_of(process.get(), entry(), /*reaped=*/false, status) == Ending::kRunning));
}

BOOST_AUTO_TEST_CASE(process_that_started_at_another_time_is_gone) {
  tail.window_from_ns.store(1);
  tail.window_to_ns.store(2);
  const int error = open_recorded(entry()) ? -1 : errno;
  BOOST_TEST(error == 0);  // the process is gone
}

BOOST_AUTO_TEST_CASE(pid_that_now_belongs_to_a_thread_is_gone) {
  pid_t thread = 0;
  int error = -1;
  std::thread([&] {
    thread = static_cast<pid_t>(::syscall(SYS_gettid));
    record(thread);
    if (!open_recorded(entry())) error = errno;
  }).join();
  BOOST_TEST(error == 0);  // the process is gone
}

BOOST_AUTO_TEST_CASE(process_that_cannot_be_read_is_not_gone) {
  int error = 0;
  {
    const DescriptorLimit limit(1);  // for the pidfd
    if (!open_recorded(entry())) error = errno;
  }
  BOOST_TEST(error == EMFILE);
}

BOOST_AUTO_TEST_CASE(end_that_cannot_be_read_now_is_found_later) {
  const OwnedFd process = open_recorded(entry());
  BOOST_REQUIRE(process);
  end();
  std::int32_t status = 0;
  Ending ending = Ending::kLost;
  {
    const DescriptorLimit limit(0);
    ending = ending_of(process.get(), entry(), /*reaped=*/false, status);
  }
  BOOST_TEST((ending == Ending::kRunning));
  BOOST_TEST((ending_of(process.get(), entry(), /*reaped=*/false, status) == Ending::kKnown));
  BOOST_TEST(status == SIGTERM);
}

BOOST_AUTO_TEST_CASE(hidden_exit_status_does_not_count_as_success,
                     *boost::unit_test::precondition([](auto) { return geteuid() == 0; })) {
  const OwnedFd process = open_recorded(entry());
  BOOST_REQUIRE(process);
  end();
  // An ordinary user sees a process of root, as the supervisor sees a setuid program.
  const pid_t user = ::fork();
  if (user == 0) {
    constexpr id_t kNobody = 65534;
    std::int32_t status = -1;
    if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)
      ::_exit(100);
    ::_exit(static_cast<int>(ending_of(process.get(), entry(), /*reaped=*/false, status)));
  }
  int status = 0;
  BOOST_TEST_REQUIRE(::waitpid(user, &status, 0) == user);
  BOOST_TEST_REQUIRE(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == static_cast<int>(Ending::kLost));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
