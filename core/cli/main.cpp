// The command `slipway`.
#include <cstdio>
#include <cstdlib>

#include "core/cli/command_line.hpp"

int main(int argc, char** argv) {
  const int status = slipway::cli::run_command_line(argc, argv);
#ifdef SLIPWAY_FAST_END
  // Plug-ins have been told to end, and nothing is left to do for destructors of static objects.
  // They would take longer than many a command, and threads of a library that a plug-in uses may
  // still run.
  std::fflush(nullptr);
  std::_Exit(status);
#endif
  return status;
}
