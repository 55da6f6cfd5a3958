// slipway-docker-supervisor launch|recover SOCKET APP_ID: the helper that scheduler/helper_link.cpp
// starts.
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/docker/scheduler/helper_link.hpp"
#include "plugins/docker/supervisor/supervisor.hpp"
#include "slipway/error.hpp"

int main(int argc, char** argv) {
  using namespace slipway;
  using docker::HelperStart;
  const std::string_view word = argc == 4 ? argv[1] : "";
  if (word != docker::kLaunchWord && word != docker::kRecoverWord) {
    std::fputs("Slipway starts this program itself\n", stderr);
    return 64;
  }
  ::signal(SIGPIPE, SIG_IGN);
  try {
    docker::HelperClaim claim(argv[3]);
    if (!claim.is_held()) return 0;
    const auto start = word == docker::kLaunchWord ? HelperStart::kLaunch : HelperStart::kRecover;
    docker::Supervisor(docker::Engine(argv[2]), argv[3], start, std::move(claim),
                       OwnedFd(STDIN_FILENO), OwnedFd(STDOUT_FILENO))
        .run();
  } catch (const Error& error) {
    ::send(STDOUT_FILENO, error.message().data(), error.message().size(), MSG_NOSIGNAL);
    return 1;
  }
  return 0;
}
