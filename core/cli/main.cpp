// The command `slipway`.
#include "core/cli/command_line.hpp"

int main(int argc, char** argv) { return slipway::cli::run_command_line(argc, argv); }
