#include "plugins/local/engine/helper_process.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

#include "slipway/error.hpp"
#include "tests/unit/local/engine/fixture.hpp"
#include "tests/unit/refused_call.hpp"

namespace slipway::local {
namespace {

namespace fs = std::filesystem;

BOOST_FIXTURE_TEST_SUITE(LocalEngineHelperProcess, AppFixture)

BOOST_AUTO_TEST_CASE(helper_that_never_acknowledges_is_killed_with_its_children) {
  const std::string helper = top() + "/helper";
  // Like the real helper, this process ends at once while its child continues.
  std::ofstream(helper) << "#!/bin/sh\nsh -c 'echo $$ > " << top()
                        << "/child; exec sleep 1000' &\n";
  fs::permissions(helper, fs::perms::owner_all);
  const OwnedFd lock(::open(top().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  HelperStart start{helper, "recover", top(), lock.get()};
  start.limit = std::chrono::milliseconds(1500);
  std::string child;
  // On a busy machine the child may need more time until it has written its number.
  while (child.empty()) {
    BOOST_REQUIRE(start.limit < std::chrono::minutes(5));
    // The message rounds down.
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(start.limit).count();
    const std::string expected = "was not ready within " + std::to_string(seconds) + " s";
    try {
      start_helper(start);
      BOOST_TEST(false, "start_helper() returned without an acknowledgement");
    } catch (const Error& error) {
      BOOST_TEST((error.code() == Code::kUnavailable));
      BOOST_TEST(error.message().find(expected) != std::string::npos);
    }
    child = slurp(top() + "/child");
    start.limit *= 2;
  }
  const std::string file = "/proc/" + std::to_string(std::stoi(child)) + "/stat";
  const auto is_dead = [&] {
    const std::string stat = slurp(file);
    return stat.empty() || stat.find(") Z ") != std::string::npos;
  };
  eventually("the child ends", is_dead);
}

BOOST_AUTO_TEST_CASE(helper_that_is_killed_leaves_no_zombie) {
  const std::string helper = top() + "/helper";
  std::ofstream(helper) << "#!/bin/sh\nexec sleep 1000\n";
  fs::permissions(helper, fs::perms::owner_all);
  const OwnedFd lock(::open(top().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  HelperStart start{helper, "recover", top(), lock.get()};
  start.limit = std::chrono::milliseconds(50);
  // Many rounds: the helper closes the pipe some moments before it can be reaped.
  for (int i = 0; i < 20; ++i) {
    BOOST_CHECK_THROW(start_helper(start), Error);
    BOOST_TEST(::waitpid(-1, nullptr, WNOHANG) == -1);
    BOOST_TEST(errno == ECHILD);
  }
}

BOOST_AUTO_TEST_CASE(helper_has_standard_streams_if_the_caller_has_none_and_clone3_is_refused) {
  const std::string helper = top() + "/helper";
  const std::string list = top() + "/list";
  // A subshell, because the shell would redirect its own stdout for a compound command. \006 is
  // kAckByte, and 4 is the pipe for the acknowledgement.
  std::ofstream(helper) << "#!/bin/sh\n(for fd in 0 1 2; do readlink /proc/$$/fd/$fd; done) >"
                        << list << "\nprintf '\\006' >&4\n";
  fs::permissions(helper, fs::perms::owner_all);
  const OwnedFd lock(::open(top().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const HelperStart start{helper, "recover", top(), lock.get()};
  const pid_t child = ::fork();
  if (child == 0) {
    if (!test::refuse_call(SYS_clone3, EPERM)) ::_exit(100);
    for (const int fd : {0, 1, 2}) ::close(fd);
    try {
      start_helper(start);
    } catch (const std::exception&) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_REQUIRE(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 0);
  BOOST_TEST(slurp(list) == "/dev/null\n/dev/null\n/dev/null\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
