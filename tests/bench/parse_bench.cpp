#include <fstream>
#include <stdexcept>
#include <string>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/subject_app.hpp"

namespace slipway::bench {
namespace {

constexpr int kRoles = 1000;
constexpr int kEntries = 20;  // arguments of a role, and also variables
constexpr int kParsedReplicas = 100'000;
constexpr double kParseLimit = 3;  // times the baseline
constexpr double kDryrunLimitMs = 1000;
constexpr long kDryrunLimitKb = 200 * 1024;

/// Writes an app file of about 1.5 MB, whose roles have 20 arguments and 20 variables each. Returns
/// `path`.
std::string large_app_file(const std::string& path) {
  std::ofstream file(path);
  file << "name = \"large\"\n";
  for (int role = 0; role < kRoles; ++role) {
    file << "\n[[roles]]\nname = \"role-" << role << "\"\nimage = \"/srv/images/trainer\"\n"
         << "entrypoint = \"python3\"\nnum_replicas = 2\nresource = \"gpu.small\"\nargs = [";
    for (int i = 0; i < kEntries; ++i)
      file << "\"--an-argument-" << i << "=its-value-" << i << "\", ";
    file << "]\n[roles.env]\n";
    for (int i = 0; i < kEntries; ++i)
      file << "A_VARIABLE_" << i << " = \"what it is set to, " << i << "\"\n";
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
  return path;
}

void bench_reading(const BenchRun& run, Table& table, const ScratchHome& home) {
  const std::string path = large_app_file(home.file("large.toml"));
  const Argv toml{run.tree.helper("bench-parse-toml"), path};
  const auto against_toml = [&](const Argv& argv) {
    return compare(
        run.options.quick ? 3 : 7, /*pairs=*/5, [&] { return timed_run(argv); },
        [&] { return timed_run(toml); });
  };
  table.heading("parse, an app of 1,000 roles", "toml++ alone, on the same file");
  table.add(ratio_row("read, check, resolve",
                      against_toml({run.tree.helper("bench-parse-app"), path}), kParseLimit));
  table.add(ratio_row("slipway dryrun (2,000 replicas)",
                      against_toml({run.tree.slipway(), "-q", "dryrun", path})));
}

void bench_dryrun(const BenchRun& run, Table& table, const ScratchHome& home) {
  const SubjectApp many(run.tree.slipway(), home.file("many.toml"),
                        {"/bin/true", "--rank", "${replica_id}"}, kParsedReplicas);
  const SubjectApp one(run.tree.slipway(), home.file("one.toml"),
                       {"/bin/true", "--rank", "${replica_id}"}, 1);
  const auto timed = [](const SubjectApp& app) { return timed_run(app.run_argv({"-q", "-n"})); };
  table.heading("dryrun", "the same command for one replica");
  const Comparison result = compare(
      /*rounds=*/3, /*pairs=*/3, [&] { return timed(many); }, [&] { return timed(one); });
  Row row = ratio_row("slipway dryrun, 100,000 replicas", result);
  row.target = "< 1 s";
  row.over = result.subject >= kDryrunLimitMs;
  table.add(row);
  const long peak = peak_memory_kb(many.run_argv({"-q", "-n"}));
  table.add({"... its peak memory",
             static_cast<double>(peak) / 1024,
             {},
             {},
             "< 200 MB",
             peak >= kDryrunLimitKb,
             "MB"});
}

}  // namespace

void bench_parse(const BenchRun& run, Table& table) {
  const ScratchHome home(run.scratch, "parse");
  bench_reading(run, table, home);
  bench_dryrun(run, table, home);
}

}  // namespace slipway::bench
