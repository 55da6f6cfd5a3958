// slipway-docker-supervisor launch|recover SOCKET DIR APP_ID: the helper that
// scheduler/helper_link.cpp starts.
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/docker/scheduler/helper_link.hpp"
#include "plugins/docker/state/submitter_files.hpp"
#include "plugins/docker/supervisor/supervisor.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {
namespace {

int run_helper(const std::string& socket, const SubmitterFiles& files, const std::string& app_id,
               HelperStart start) {
  // A supervisor that cannot begin closes its link, so the error goes over a copy.
  const OwnedFd link(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  try {
    HelperClaim claim(app_id);
    if (!claim.is_held()) return 0;  // another helper has been faster
    Supervisor(Engine(socket), app_id, start, files, std::move(claim), OwnedFd(STDIN_FILENO),
               OwnedFd(STDOUT_FILENO))
        .run();
  } catch (const Error& error) {
    const std::string text = refusal_text(error);
    ::send(link.get(), text.data(), text.size(), MSG_NOSIGNAL);
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace slipway::docker

int main(int argc, char** argv) {
  using slipway::docker::HelperStart;
  const std::string_view word = argc == 5 ? argv[1] : "";
  if (word != slipway::docker::kLaunchWord && word != slipway::docker::kRecoverWord) {
    std::fputs("Slipway starts this program itself\n", stderr);
    return 64;
  }
  ::signal(SIGPIPE, SIG_IGN);
  return slipway::docker::run_helper(
      argv[2], slipway::docker::SubmitterFiles(argv[3], argv[4]), argv[4],
      word == slipway::docker::kLaunchWord ? HelperStart::kLaunch : HelperStart::kRecover);
}
