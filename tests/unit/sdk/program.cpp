#include "slipway/program.hpp"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include "tests/unit/refused_call.hpp"

using slipway::OwnedFd;
using slipway::program_output;
using slipway::ProgramResult;
using slipway::run_program;
using slipway::StrList;
using End = slipway::ProgramResult::End;

namespace {

constexpr std::chrono::minutes kLong{10};
constexpr std::chrono::milliseconds kShort{200};

StrList shell(const std::string& script) { return {"sh", "-c", script}; }

bool is_alive(const std::string& pid) { return ::kill(std::stoi(pid), 0) == 0; }

// A killed process whose parent is init disappears a moment later.
bool ends_soon(const std::string& pid) {
  const OwnedFd process(static_cast<int>(::syscall(SYS_pidfd_open, std::stoi(pid), 0)));
  if (!process) return !is_alive(pid);
  pollfd ended{process.get(), POLLIN, 0};
  return ::poll(&ended, 1, 60'000) == 1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(Program)

BOOST_AUTO_TEST_CASE(its_status_and_both_streams_are_returned) {
  const ProgramResult result = run_program(shell("echo said; echo grumbled >&2; exit 3"), {kLong});
  BOOST_TEST((result.end == End::kExited));
  BOOST_TEST(result.status == 3);
  BOOST_TEST(result.out == "said\n");
  BOOST_TEST(result.err == "grumbled\n");
  BOOST_TEST(!result.ok());
}

BOOST_AUTO_TEST_CASE(a_signal_that_ended_the_program_differs_from_its_status) {
  const ProgramResult killed = run_program(shell("kill -TERM $$"), {kLong});
  BOOST_TEST(killed.status == 128 + SIGTERM);
  BOOST_TEST(killed.signal == SIGTERM);
  const ProgramResult exited = run_program(shell("exit 143"), {kLong});
  BOOST_TEST(exited.status == 128 + SIGTERM);
  BOOST_TEST(exited.signal == 0);
}

BOOST_AUTO_TEST_CASE(it_has_no_input_and_the_usual_signals) {
  const auto old = std::signal(SIGPIPE, SIG_IGN);
  const ProgramResult result = run_program(shell("cat; kill -PIPE $$; echo survived"), {kLong});
  std::signal(SIGPIPE, old);
  BOOST_TEST(result.out.empty());
  BOOST_TEST(result.status == 128 + SIGPIPE);
}

BOOST_AUTO_TEST_CASE(more_than_a_pipe_holds_is_read_from_both_streams) {
  const ProgramResult result =
      run_program(shell("head -c 1000000 /dev/zero >&2; head -c 1000000 /dev/zero"), {kLong});
  BOOST_TEST(result.ok());
  BOOST_TEST(result.out.size() == 1'000'000u);
  BOOST_TEST(result.err.size() == 1'000'000u);
}

BOOST_AUTO_TEST_CASE(program_is_searched_in_the_callers_path) {
  const StrList environment = {"PATH=/no/directory", "WORD=x"};
  slipway::ProgramLimits limits{kLong};
  limits.environment = &environment;
  const StrList argv = {"sh", "-c", "echo $PATH $WORD"};
  BOOST_TEST(run_program(argv, limits).out == "/no/directory x\n");
  // Without clone3(), run_program() forks and searches the program itself.
  // The child exits with 7 if all is well, and with 100 if it cannot refuse clone3().
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(!slipway::test::refuse_call(SYS_clone3, EPERM)         ? 100
            : run_program(argv, limits).out == "/no/directory x\n" ? 7
                                                                   : 0);
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(WEXITSTATUS(status) == 7);
}

BOOST_AUTO_TEST_CASE(missing_program_is_a_result_and_one_that_cannot_run_is_an_error) {
  BOOST_TEST((run_program({"slipway-no-such-program"}, {kLong}).end == End::kNotFound));
  BOOST_TEST(!program_output({"slipway-no-such-program"}, {kLong}).has_value());
  BOOST_CHECK_THROW(run_program({"/"}, {kLong}), slipway::Error);
}

// The exec reports EACCES if the caller may not search a directory of PATH, also for a program that
// is in none of the others.
BOOST_AUTO_TEST_CASE(unsearchable_directory_of_path_does_not_hide_why_a_program_does_not_start) {
  char open_directory[] = "/tmp/slipway-program-XXXXXX";
  BOOST_REQUIRE(::mkdtemp(open_directory) != nullptr);
  BOOST_REQUIRE(::chmod(open_directory, 0755) == 0);
  const std::string closed_directory = std::string(open_directory) + "/closed";
  BOOST_REQUIRE(::mkdir(closed_directory.c_str(), 0) == 0);
  std::ofstream(std::string(open_directory) + "/not-a-program");
  const pid_t child = ::fork();
  if (child == 0) {
    // root may search every directory
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(100);
    ::setenv("PATH", (closed_directory + ":" + open_directory).c_str(), 1);
    bool is_missing = false;
    bool is_refused = false;
    try {
      is_missing = run_program({"slipway-no-such-program"}, {kLong}).end == End::kNotFound;
      run_program({"not-a-program"}, {kLong});
    } catch (const slipway::Error& error) {
      is_refused = error.message() == "cannot run not-a-program: Permission denied";
    }
    ::_exit((is_missing ? 1 : 0) + (is_refused ? 2 : 0));
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(WEXITSTATUS(status) == 3);
  std::filesystem::remove_all(open_directory);
}

BOOST_AUTO_TEST_CASE(program_is_killed_with_its_children_after_its_time) {
  const ProgramResult result = run_program(shell("sleep 1000 & echo $!; wait"), {kShort});
  BOOST_TEST((result.end == End::kTimeout));
  BOOST_REQUIRE(!result.out.empty());
  BOOST_TEST(ends_soon(result.out));
}

BOOST_AUTO_TEST_CASE(program_that_closes_its_streams_keeps_the_same_limit) {
  const ProgramResult result =
      run_program(shell("echo $$; exec >/dev/null 2>&1; sleep 1000"), {kShort});
  BOOST_TEST((result.end == End::kTimeout));
  BOOST_TEST(!is_alive(result.out));
}

BOOST_AUTO_TEST_CASE(program_with_endless_output_is_killed) {
  const ProgramResult result =
      run_program(shell("while :; do echo GPU; done"), {.time = kLong, .output = 100'000});
  BOOST_TEST((result.end == End::kTooMuch));
  BOOST_TEST(!program_output(shell("yes"), {.time = kLong, .output = 100'000}).has_value());
}

BOOST_AUTO_TEST_CASE(cancelled_call_does_not_wait_for_the_program) {
  const OwnedFd cancel(::eventfd(1, EFD_CLOEXEC));  // readable: the call is cancelled
  const ProgramResult result =
      run_program(shell("sleep 1000"), {.time = kLong, .cancel_fd = cancel.get()});
  BOOST_TEST((result.end == End::kCancelled));
}

BOOST_AUTO_TEST_CASE(only_a_program_that_succeeds_has_output) {
  BOOST_TEST(program_output(shell("echo yes"), {kLong}).value() == "yes\n");
  BOOST_TEST(!program_output(shell("echo yes; exit 1"), {kLong}).has_value());
}

/// A socket pair on which a program asks the test.
struct Channel {
  Channel() {
    int fds[2];
    BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
    ours = OwnedFd(fds[0]);
    theirs = OwnedFd(fds[1]);
  }

  OwnedFd ours;
  OwnedFd theirs;
};

BOOST_FIXTURE_TEST_CASE(program_can_ask_its_caller, Channel) {
  std::string asked;
  slipway::ProgramLimits limits{kLong};
  limits.channel = theirs.get();
  limits.questions = ours.get();
  const std::function<bool()> answer = [&] {
    char text[16];
    const ssize_t count = ::recv(ours.get(), text, sizeof text, 0);
    asked.append(text, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    BOOST_TEST(::send(ours.get(), "42\n", 3, MSG_NOSIGNAL) == 3);
    return true;
  };
  limits.on_question = &answer;
  const ProgramResult result =
      run_program(shell("echo what? >&3; read answer <&3; echo got $answer"), limits);
  BOOST_TEST(asked == "what?\n");
  BOOST_TEST(result.out == "got 42\n");
}

BOOST_FIXTURE_TEST_CASE(exception_of_on_question_reaches_the_caller_at_once, Channel) {
  slipway::ProgramLimits limits{kLong};
  limits.channel = theirs.get();
  limits.questions = ours.get();
  const std::function<bool()> answer = []() -> bool { throw std::runtime_error("unknown"); };
  limits.on_question = &answer;
  BOOST_CHECK_THROW(run_program(shell("echo what? >&3; sleep 1000"), limits), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
