#include "slipway/background_program.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

using slipway::BackgroundProgram;
using slipway::OwnedFd;
using slipway::start_background;
using slipway::StrList;

namespace {

/// A named pipe that the program writes to. text() waits until the program has closed it.
class Answer {
 public:
  Answer() {
    char name[] = "/tmp/slipway-background-XXXXXX";
    BOOST_REQUIRE(::mkdtemp(name) != nullptr);
    directory_ = name;
    ::mkfifo(path().c_str(), 0600);
  }
  ~Answer() { std::filesystem::remove_all(directory_); }
  std::string path() const { return directory_ + "/answer"; }
  std::string text() const {
    std::ifstream file(path());
    std::ostringstream out;
    out << file.rdbuf();
    return out.str();
  }

 private:
  std::string directory_;
};

BackgroundProgram program(StrList argv, std::string cwd = "") {
  BackgroundProgram out;
  out.argv = std::move(argv);
  out.cwd = std::move(cwd);
  return out;
}

/// Returns a command that writes the output of shell `commands` to `answer`.
StrList script(const Answer& answer, const std::string& commands) {
  return {"sh", "-c", "{ " + commands + "; } >\"$1\"", "sh", answer.path()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(StartBackground)

BOOST_AUTO_TEST_CASE(the_program_is_not_a_child_and_has_a_session_of_its_own) {
  const Answer answer;
  const pid_t pid = start_background(program(script(answer, "ps -o pid=,sess= -p $$")));
  std::istringstream words(answer.text());
  pid_t own = 0;
  pid_t session = 0;
  words >> own >> session;
  BOOST_TEST(own == pid);
  BOOST_TEST(session != ::getsid(0));
  BOOST_TEST(::waitpid(pid, nullptr, 0) == -1);
}

BOOST_AUTO_TEST_CASE(the_program_inherits_no_descriptor_and_no_directory) {
  const OwnedFd inherited(::open("/dev/zero", O_RDONLY));  // NOLINT(*-cloexec-*): on purpose
  BOOST_TEST_REQUIRE(inherited.get() > 2);
  const Answer answer;
  start_background(program(script(answer, "for fd in /proc/$$/fd/*; do readlink $fd; done; pwd")));
  const std::string text = answer.text();
  BOOST_TEST(text.find("/dev/zero") == std::string::npos);
  BOOST_TEST(text.find("/dev/null\n") == 0U);
  BOOST_TEST(text.ends_with("\n/\n"));
}

BOOST_AUTO_TEST_CASE(streams_directory_and_environment_can_be_given) {
  const Answer answer;
  const OwnedFd out(::open(answer.path().c_str(), O_RDWR | O_CLOEXEC));
  const StrList environment = {"WORD=two words"};
  const StrList argv = {"/bin/sh", "-c", "echo $WORD; pwd >&2"};
  start_background({argv, "/proc", &environment, -1, out.get(), out.get()});
  std::string text;
  char byte = 0;
  while (text.find("/proc\n") == std::string::npos && ::read(out.get(), &byte, 1) == 1)
    text += byte;
  BOOST_TEST(text == "two words\n/proc\n");
}

BOOST_AUTO_TEST_CASE(program_that_cannot_be_executed_is_an_error) {
  const auto error_of = [](const BackgroundProgram& given) {
    try {
      start_background(given);
    } catch (const slipway::Error& error) {
      return error.message();
    }
    return std::string();
  };
  BOOST_TEST(error_of(program({"/no/program"})) ==
             "cannot run /no/program: No such file or directory");
  BOOST_TEST(error_of(program({"/etc/passwd"})) == "cannot run /etc/passwd: Permission denied");
  BOOST_TEST(error_of(program({"true"}, "/no/directory")) ==
             "cannot enter /no/directory: No such file or directory");
}

BOOST_AUTO_TEST_CASE(program_that_cannot_be_executed_is_an_error_for_a_host_without_streams) {
  const pid_t host = ::fork();
  if (host == 0) {
    for (const int stream : {0, 1, 2}) ::close(stream);
    try {
      start_background(program({"/no/program"}));
    } catch (const slipway::Error&) {
      ::_exit(7);
    }
    ::_exit(0);
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(host, &status, 0) == host);
  BOOST_TEST(WEXITSTATUS(status) == 7);
}

BOOST_AUTO_TEST_SUITE_END()
