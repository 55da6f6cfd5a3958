// The command `slipway`.
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "core/cli/command_line.hpp"

int main(int argc, char** argv) {
  // A parent may have left this signal ignored. Then the kernel would keep no exit status of the
  // programs that plug-ins run.
  std::signal(SIGCHLD, SIG_DFL);
  const int status = slipway::cli::run_command_line(argc, argv);
#ifdef SLIPWAY_FAST_END  // in all builds without sanitizers, which report at exit
  // All plug-ins are closed, so the destructors of static objects have nothing to release. They
  // would take longer than many commands, and a plug-in's library may still run threads.
  std::fflush(nullptr);
  std::_Exit(status);
#endif
  return status;
}
