#include "tests/bench/bench_options.hpp"

#include <filesystem>
#include <string_view>

namespace slipway::bench {

const char* usage_text() {
  return "usage: slipway-bench TREE [--only "
         "start|launch|peers|wait|boundary|parse|manifests|list|log|scale|slurm|components|docker] "
         "[--quick] "
         "[--check]\n";
}

BenchOptions parse_options(int argc, char** argv) {
  BenchOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--quick") {
      options.quick = true;
    } else if (argument == "--check") {
      options.check = true;
    } else if (argument == "--only") {
      if (++i == argc) throw UsageError("--only needs a name");
      options.only = argv[i];
    } else if (argument.substr(0, 1) != "-" && options.tree.empty()) {
      options.tree = std::filesystem::absolute(argument).lexically_normal().string();
    } else {
      throw UsageError("unexpected argument '" + std::string(argument) + "'");
    }
  }
  if (options.tree.empty()) throw UsageError("the tree to measure is missing");
  const bool known = options.wants("start") || options.wants("launch") || options.wants("peers") ||
                     options.wants("wait") || options.wants("boundary") || options.wants("parse") ||
                     options.wants("manifests") || options.wants("list") || options.wants("log") ||
                     options.wants("scale") || options.wants("slurm") ||
                     options.wants("components") || options.wants("docker");
  if (!known) throw UsageError("there is no benchmark named '" + options.only + "'");
  return options;
}

}  // namespace slipway::bench
