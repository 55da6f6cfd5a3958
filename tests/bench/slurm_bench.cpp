#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "tests/bench/bench_groups.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/cpu_meter.hpp"

namespace slipway::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kJobs = 10'000;
constexpr double kSqueueLimit = 2;  // times the baseline
constexpr long kParseLimitKb = 1024 * 1024;
constexpr double kSubmitLimitMs = 30;  // more than the baseline

// The members of a job that squeue 22.05 prints after its id; Slipway does not need most of them.
constexpr const char* kJob = R"(, "account": "physics", "accrue_time": 1795292640,
 "admin_comment": "", "array_job_id": 0, "array_task_id": null, "array_max_tasks": 0,
 "array_task_string": "", "association_id": 2, "batch_features": "", "batch_flag": true,
 "batch_host": "n1", "flags": ["JOB_MEM_SET"], "burst_buffer": "", "burst_buffer_state": "",
 "cluster": "slipway", "cluster_features": "", "command": "/home/ada/.local/state/job.sh",
 "comment": "[slipway slipway/train-s0hd79rv9vgmc]", "contiguous": false, "core_spec": null,
 "thread_spec": null, "cores_per_socket": null, "billable_tres": 4, "cpus_per_task": 2,
 "cpu_frequency_minimum": null, "cpu_frequency_maximum": null, "cpu_frequency_governor": null,
 "cpus_per_tres": "", "deadline": 0, "delay_boot": 0, "dependency": "",
 "derived_exit_code": 256, "eligible_time": 1795292640, "end_time": 1795292643,
 "excluded_nodes": "", "exit_code": 256, "features": "", "federation_origin": "",
 "federation_siblings_active": "", "federation_siblings_viable": "", "gres_detail": [],
 "group_id": 1000, "job_resources": {"nodes": "n[1-2]", "allocated_cpus": 8, "allocated_hosts": 2,
 "allocated_nodes": [
  {"sockets": {"0": {"cores": {"0": "allocated", "1": "allocated"}}}, "nodename": "n1",
   "cpus_used": 4, "memory_used": 0, "memory_allocated": 2000},
  {"sockets": {"0": {"cores": {"0": "allocated", "1": "allocated"}}}, "nodename": "n2",
   "cpus_used": 4, "memory_used": 0, "memory_allocated": 2000}]},
 "job_state": "FAILED", "last_sched_evaluation": 1795292641, "licenses": "", "max_cpus": 0,
 "max_nodes": 0, "mcs_label": "", "memory_per_tres": "", "name": "train", "nodes": "n[1-2]",
 "nice": null, "tasks_per_core": null, "tasks_per_node": 0, "tasks_per_socket": null,
 "tasks_per_board": 0, "cpus": 8, "node_count": 2, "tasks": 4, "het_job_id": 0,
 "het_job_id_set": "", "het_job_offset": 0, "partition": "main", "prefer": "",
 "memory_per_node": null, "memory_per_cpu": 512, "minimum_cpus_per_node": 2,
 "minimum_tmp_disk_per_node": 0, "preempt_time": 0, "pre_sus_time": 0, "priority": 4294901757,
 "profile": null, "qos": "normal", "reboot": false, "required_nodes": "", "requeue": true,
 "resize_time": 0, "restart_cnt": 0, "resv_name": "", "shared": null, "show_flags": ["SHOW_ALL"],
 "sockets_per_board": 0, "sockets_per_node": null, "start_time": 1795292641,
 "state_description": "", "state_reason": "NonZeroExitCode",
 "standard_error": "/home/ada/.local/state/job.out", "standard_input": "/dev/null",
 "standard_output": "/home/ada/.local/state/job.out", "submit_time": 1795292640,
 "suspend_time": 0, "system_comment": "", "time_limit": 60, "time_minimum": 0,
 "threads_per_core": null, "tres_bind": "", "tres_freq": "", "tres_per_job": "",
 "tres_per_node": "", "tres_per_socket": "", "tres_per_task": "",
 "tres_req_str": "cpu=8,mem=4G,node=2,billing=8", "tres_alloc_str": "cpu=8,mem=4G,node=2",
 "user_id": 1000, "user_name": "ada", "wckey": "", "current_working_directory": "/home/ada/work"})";

/// Writes the output of `squeue --json` for kJobs jobs, and returns `path`.
std::string queue_file(const std::string& path) {
  std::ofstream file(path);
  file << R"({"meta": {"Slurm": {"release": "22.05.8"}}, "errors": [], "jobs": [)";
  for (int id = 1; id <= kJobs; ++id)
    file << (id > 1 ? ",\n" : "\n") << "{\"job_id\": " << id << kJob;
  file << "]}\n";
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
  return path;
}

void bench_queue(const BenchRun& run, Table& table, const ScratchHome& home) {
  const std::string path = queue_file(home.file("squeue.json"));
  const Argv subject{run.tree.helper("bench-parse-squeue"), path};
  const Argv json{run.tree.helper("bench-parse-json"), path};
  const Comparison result = compare(
      run.options.quick ? 3 : 7, /*pairs=*/3, [&] { return timed_run(subject); },
      [&] { return timed_run(json); });
  table.heading("slurm, 10,000 jobs in the queue", "Boost.JSON alone, on the same bytes");
  table.add(ratio_row("read squeue --json", result, kSqueueLimit));
  const long peak = peak_memory_kb(subject);
  table.add({"... peak memory for " + std::to_string(fs::file_size(path) >> 20) + " MB",
             static_cast<double>(peak) / 1024,
             {},
             {},
             "< 1 GB",
             peak >= kParseLimitKb,
             "MB"});
}

/// Writes an executable shell script.
void install(const std::string& path, const std::string& script) {
  std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
  fs::permissions(path, fs::perms::owner_all);
}

/// Returns the processor time of a command and its children in milliseconds.
double cpu_of(const Argv& argv) {
  const double before = settled_cpu_ms();
  ChildProcess(argv).wait();
  return settled_cpu_ms() - before;
}

void bench_submission(const BenchRun& run, Table& table, const ScratchHome& home) {
  fs::create_directories(home.file("bin"));
  install(home.file("bin/sbatch"), "echo 42");
  // Without --version: the default partition, the memory of its nodes, and their number.
  install(home.file("bin/sinfo"),
          "case $1 in --version) echo slurm-wlm 22.05.8;; *) echo 'main*,64000,4';; esac");
  const std::string old_path = ::getenv("PATH") != nullptr ? ::getenv("PATH") : "/usr/bin:/bin";
  ::setenv("PATH", (home.file("bin") + ":" + old_path).c_str(), 1);
  std::ofstream(home.file("app.toml")) << "name = \"bench\"\n[[roles]]\nname = \"w\"\n"
                                          "entrypoint = \"true\"\nnum_replicas = 10000\n";
  const Argv submit{run.tree.slipway(), "-q", "run", "-d", "-s", "slurm", home.file("app.toml")};
  const Argv plain{home.file("bin/sbatch"), "--parsable", home.file("app.toml")};
  table.heading("slurm, submission of 10,000 replicas: processor time",
                "sbatch alone; scripts that answer at once replace sbatch and sinfo");
  const Comparison result = compare(
      run.options.quick ? 3 : 7, /*pairs=*/5, [&] { return cpu_of(submit); },
      [&] { return cpu_of(plain); });
  Row row = ratio_row("slipway run -d -s slurm", result);
  row.target = "+ 30 ms";
  row.over = result.subject - result.baseline > kSubmitLimitMs;
  table.add(row);
  ::setenv("PATH", old_path.c_str(), 1);
}

/// Writes what squeue prints for kSqueueFormat (plugins/slurm/state/job_lines.hpp), with which
/// `list` asks, and returns `path`.
std::string queue_lines(const std::string& path, int jobs) {
  std::ofstream file(path);
  for (int id = 1; id <= jobs; ++id) {
    file << id
         << "\x1fRUNNING\x1f"
            "2026-11-21T20:24:00\x1fw\x1f[slipway slipway/app-"
         << id << "]\x1f/x\n";
  }
  return path;
}

/// Writes what squeue prints when `wait` asks for ids and states, and returns `path`.
std::string state_lines(const std::string& path, int jobs) {
  std::ofstream file(path);
  for (int id = 1; id <= jobs; ++id) file << id << "|RUNNING\n";
  return path;
}

/// Throws if the command does not print a line for each job.
void expect_lines(const Argv& list, int jobs) {
  const std::string text = output_of(list);
  const auto lines = std::count(text.begin(), text.end(), '\n');
  if (lines < jobs)
    throw std::runtime_error("list printed " + std::to_string(lines) + " lines for " +
                             std::to_string(jobs) + " jobs of squeue");
}

void bench_list_of_jobs(const BenchRun& run, Table& table, const ScratchHome& home) {
  install(home.file("bin/sacct"), "exit 1");  // there is no accounting
  const Argv list{run.tree.slipway(), "list", "-s", "slurm"};
  const Argv squeue{home.file("bin/squeue")};
  table.heading("slurm, list", "squeue alone; a script that prints the same lines replaces it");
  for (const int jobs : {1000, kJobs}) {
    install(home.file("bin/squeue"),
            "exec cat " + queue_lines(home.file("queue-" + std::to_string(jobs)), jobs));
    expect_lines(list, jobs);
    const Comparison result = compare(
        run.options.quick ? 3 : 7, /*pairs=*/5, [&] { return timed_run(list); },
        [&] { return timed_run(squeue); });
    table.add(ratio_row("list of " + std::to_string(jobs) + " jobs", result));
  }
}

/// The cost of waiting commands in five seconds.
struct WaitCost {
  double queries = 0;  ///< number of runs of squeue
  double cpu_ms = 0;   ///< of the commands and of squeue's stand-in
};

/// Measures `waits` commands that wait for one app while the queue has `jobs` jobs.
WaitCost cost_of_waits(const BenchRun& run, const ScratchHome& home, const std::string& handle,
                       int waits, int jobs) {
  const std::string number = std::to_string(jobs);
  const std::string calls = home.file("calls-" + std::to_string(waits) + "-" + number);
  install(home.file("bin/squeue"),
          "echo x >>" + calls + "; exec cat " + state_lines(home.file("states-" + number), jobs));
  std::string script;
  for (int i = 0; i < waits; ++i)
    script += run.tree.slipway() + " wait --timeout 5 " + handle + " & ";
  const double before = settled_cpu_ms();
  ChildProcess({"/bin/sh", "-c", script + "wait"}).wait();
  constexpr double kBytesPerCall = 2;  // "x\n"
  return {static_cast<double>(fs::file_size(calls)) / kBytesPerCall, settled_cpu_ms() - before};
}

void bench_waits(const BenchRun& run, Table& table, const ScratchHome& home) {
  // The job's comment has its mark, which is the target of the link slurm/ids/42 without "../".
  install(home.file("bin/scontrol"),
          "mark=$(readlink \"${XDG_STATE_HOME:-$HOME/.local/state}/slipway/slurm/ids/42\"); "
          "echo \"JobId=42 JobName=w JobState=RUNNING Comment=[slipway ${mark#../}] StdErr=/x\"");
  std::ofstream(home.file("one.toml")) << "name = \"bench\"\n[[roles]]\nname = \"w\"\n"
                                          "entrypoint = \"true\"\n";
  const std::string handle =
      output_of({run.tree.slipway(), "-q", "run", "-d", "-s", "slurm", home.file("one.toml")});
  table.heading("slurm, ten times `slipway wait` for five seconds", "one `slipway wait`");
  for (const int jobs : {1000, kJobs}) {
    const WaitCost one = cost_of_waits(run, home, handle, 1, jobs);
    const WaitCost ten = cost_of_waits(run, home, handle, 10, jobs);
    const std::string queue = ", " + std::to_string(jobs) + " jobs";
    Row queries{"queries of squeue" + queue, ten.queries, one.queries, "", "<= 2x", false, ""};
    queries.over = ten.queries > 2 * one.queries;
    table.add(queries);
    table.add(Row{"processor time" + queue, ten.cpu_ms, one.cpu_ms,
                  std::to_string(static_cast<int>(ten.cpu_ms / one.cpu_ms)), "", false});
  }
}

}  // namespace

void bench_slurm(const BenchRun& run, Table& table) {
  become_subreaper();
  const ScratchHome home(run.scratch, "slurm");
  bench_queue(run, table, home);
  bench_submission(run, table, home);
  const std::string old_path = ::getenv("PATH") != nullptr ? ::getenv("PATH") : "/usr/bin:/bin";
  ::setenv("PATH", (home.file("bin") + ":" + old_path).c_str(), 1);
  bench_list_of_jobs(run, table, home);
  bench_waits(run, table, home);
  ::setenv("PATH", old_path.c_str(), 1);
}

}  // namespace slipway::bench
