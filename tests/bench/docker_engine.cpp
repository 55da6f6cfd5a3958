#include "tests/bench/docker_engine.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace slipway::bench {

DockerEngine::DockerEngine() {
  int in[2];
  int out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe for the Docker engine");
  OwnedFd its_in(in[0]);
  stdin_.reset(in[1]);
  const OwnedFd answers(out[0]);
  OwnedFd its_out(out[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, its_in.get(), 0);
  ::posix_spawn_file_actions_adddup2(&actions, its_out.get(), 1);
  const char* const words[] = {"python3", "-B", SLIPWAY_DOCKER_ENGINE, nullptr};
  const int error =
      ::posix_spawnp(&pid_, words[0], &actions, nullptr, const_cast<char* const*>(words), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("no python3");
  its_in.reset();
  its_out.reset();
  // When the engine answers, the program prints "SOCKET IMAGE\n".
  std::string text;
  char part[512];
  for (ssize_t n = 0; (n = ::read(answers.get(), part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(n));
    if (text.back() == '\n') break;
  }
  const std::size_t space = text.find(' ');
  if (text.empty() || text.back() != '\n' || space == std::string::npos) {
    stdin_.reset();
    ::waitpid(pid_, nullptr, 0);
    throw std::runtime_error("the Docker engine does not start");
  }
  socket_ = text.substr(0, space);
  image_ = text.substr(space + 1, text.size() - space - 2);
}

DockerEngine::~DockerEngine() {
  stdin_.reset();
  ::waitpid(pid_, nullptr, 0);
}

}  // namespace slipway::bench
