#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"

namespace slipway::bench {
namespace {

constexpr int kDirectories = 5;
constexpr int kManifests = 200;
constexpr int kResources = 5000;

// The baseline of a command that needs all manifests: kPerCommand times the command with one
// manifest, plus kPerParse times toml++, which only parses all manifests. The multiples leave time
// to read, check and index the manifests.
constexpr double kPerCommand = 2;
constexpr double kPerParse = 3;
constexpr double kUnused = 1.5;  // for a command that needs no manifest

/// Creates the directory number `directory`, a `plugins.d` below `parent` with its share of all
/// manifests. Returns the paths of the manifests.
std::vector<std::string> write_directory(const std::string& parent, int directory) {
  const std::string path = parent + "/" + std::to_string(directory) + "/plugins.d";
  std::filesystem::create_directories(path);
  std::vector<std::string> files;
  for (int i = 0; i < kManifests / kDirectories; ++i) {
    const int manifest = directory * kManifests / kDirectories + i;
    files.push_back(path + "/m" + std::to_string(manifest) + ".toml");
    std::ofstream file(files.back());
    file << "manifest_version = 1\n";
    for (int r = 0; r < kResources / kManifests; ++r) {
      file << "\n[named_resources.site" << manifest << ".size" << r << "]\n"
           << "cpu = " << r + 1 << "\ngpu = 4\nmem = \"64GiB\"\n"
           << "capabilities = { \"node.kubernetes.io/instance-type\" = \"p4d.24xlarge\" }\n"
           << "devices = { \"vpc.amazonaws.com/efa\" = 4 }\n";
    }
    if (!file.flush()) throw std::runtime_error("cannot write " + files.back());
  }
  return files;
}

std::string write_app(const std::string& path) {
  std::ofstream file(path);
  file << "name = \"sized\"\n[[roles]]\nname = \"w\"\nentrypoint = \"/bin/true\"\n"
       << "resource = \"site199.size7\"\n";
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
  return path;
}

}  // namespace

void bench_manifests(const BenchRun& run, Table& table) {
  const ScratchHome home(run.scratch, "manifests");
  Argv toml{run.tree.helper("bench-parse-toml")};
  Argv all{run.tree.slipway(), "-q"};
  std::string last;
  for (int i = 0; i < kDirectories; ++i) {
    for (std::string& file : write_directory(home.path(), i)) {
      last = file;
      toml.push_back(std::move(file));
    }
    all.insert(all.end(), {"--plugin-path", home.file(std::to_string(i) + "/plugins.d")});
  }
  // The last manifest has the resources that the commands below name.
  const Argv one{run.tree.slipway(), "-q", "--plugin-path", last};
  table.heading("manifests, 200 with 5,000 resources",
                "the sum of 2x the same with one manifest and 3x toml++ alone on all of them");
  const auto with = [](Argv argv, const Argv& command) {
    argv.insert(argv.end(), command.begin(), command.end());
    return argv;
  };
  const auto measure = [&](const std::string& name, const Argv& subject,
                           const std::function<double()>& baseline) {
    const int rounds = run.options.quick ? 3 : 7;
    table.add(ratio_row(name,
                        compare(
                            rounds, /*pairs=*/5, [&] { return timed_run(subject); }, baseline),
                        1));
  };
  const auto add = [&](const std::string& name, const Argv& command) {
    const Argv subject = with(all, command);
    const Argv single = with(one, command);
    measure(name, subject,
            [&] { return kPerCommand * timed_run(single) + kPerParse * timed_run(toml); });
  };
  add("slipway resource show", {"resource", "show", "site199.size7"});
  add("slipway run --dryrun", {"run", "-n", write_app(home.file("sized.toml"))});
  // These commands need no manifest, so that many manifests must hardly slow them down.
  table.note("the next two rows: the baseline is 1.5x the same with one manifest");
  const Argv help = with(all, {"--help"});
  const Argv help_of_one = with(one, {"--help"});
  measure("slipway --help", help, [&] { return kUnused * timed_run(help_of_one); });
  const auto completion_of = [](const Argv& argv) {
    Argv out{argv.front(), "__complete", "words"};
    out.insert(out.end(), argv.begin() + 1, argv.end());
    return out;
  };
  const Argv option = completion_of(with(all, {"run", "--dry"}));
  const Argv option_of_one = completion_of(with(one, {"run", "--dry"}));
  measure("completion of an option", option, [&] { return kUnused * timed_run(option_of_one); });
  const Argv name = completion_of(with(all, {"resource", "show", "site199."}));
  const Argv name_of_one = completion_of(with(one, {"resource", "show", "site199."}));
  measure("completion of a resource", name,
          [&] { return kPerCommand * timed_run(name_of_one) + kPerParse * timed_run(toml); });
}

}  // namespace slipway::bench
