// The command `slipway`.
#include <cstdio>
#include <cstdlib>

#include "core/cli/command_line.hpp"

int main(int argc, char** argv) {
  const int status = slipway::cli::run_command_line(argc, argv);
#ifdef SLIPWAY_FAST_END  // in all builds without sanitizers, which report at exit
  // All plug-ins are closed, so the destructors of static objects have nothing to release. They
  // would take longer than many commands, and a plug-in's library may still run threads.
  std::fflush(nullptr);
  std::_Exit(status);
#endif
  return status;
}
