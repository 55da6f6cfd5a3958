// bench-parse-squeue FILE: reads output of `squeue --json` like the plug-in `slurm`.
#include <fstream>
#include <iterator>
#include <string>

#include "plugins/slurm/state/squeue_json.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  std::ifstream file(argv[1], std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return slipway::slurm::parse_squeue_json(text).empty() ? 65 : 0;
}
