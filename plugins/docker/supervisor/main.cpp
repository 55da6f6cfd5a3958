// slipway-docker-supervisor SOCKET APP_ID: the helper that scheduler/helper_link.cpp starts.
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "plugins/docker/supervisor/supervisor.hpp"
#include "slipway/error.hpp"

int main(int argc, char** argv) {
  using namespace slipway;
  if (argc != 3) {
    std::fputs("slipway starts this program: slipway-docker-supervisor SOCKET APP_ID\n", stderr);
    return 64;
  }
  ::signal(SIGPIPE, SIG_IGN);
  try {
    docker::Supervisor(docker::Engine(argv[1]), argv[2], OwnedFd(STDIN_FILENO),
                       OwnedFd(STDOUT_FILENO))
        .run();
  } catch (const Error& error) {
    ::send(STDOUT_FILENO, error.message().data(), error.message().size(), MSG_NOSIGNAL);
    return 1;
  }
  return 0;
}
