// The app of the usage overview of TSM, TorchX's ancestor, launched from a program: an elastic
// trainer of 4 replicas, a parameter server of 10 and a reader. Dry-runs it, runs it, follows its
// logs, waits for it and reads its status.
#include <iostream>

#include "slipway/runner.hpp"

namespace {

// Returns a role that prints `activity`, its replica and its job, and ends. It takes the place of a
// real program such as train.py, so that this example runs anywhere.
slipway::Role program(const std::string& role, const std::string& activity) {
  return slipway::Role(role).runs("/bin/sh",
                                  {"-c", "echo \"$0 $1 of $JOB\"", activity, "${replica_id}"});
}

slipway::AppDef training_job() {
  slipway::Resource small;
  small.cpu = 1;
  small.gpu = 0;
  small.mem_mb = 256;

  slipway::Role trainer = program("trainer", "training").replicas(4).require(small);
  trainer.min_replicas = 2;  // elastic: it may continue with two replicas
  slipway::AppDef app = slipway::AppDef("my_train_job")
                            .of(trainer)
                            .of(program("parameter_server", "serving").replicas(10).require(small))
                            .of(program("reader", "reading").replicas(1).require(small));
  for (slipway::Role& role : app.roles) role.with_env("JOB", "${app_id}");
  // Prints the size of the scheduler's request before it is submitted. A JSON merge patch as the
  // return value would change the request.
  app.roles.back().before_schedule([](const std::string& scheduler, const std::string& request) {
    std::cout << "request for " << scheduler << ": " << request.size() << " bytes\n";
    return std::string();
  });
  return app;
}

int run() {
  slipway::RunnerOptions options;
  options.session = "overview";
  options.search.prefix = SLIPWAY_PREFIX;  // the plug-ins that came with Slipway
  slipway::Runner runner(options);

  const slipway::AppDryRun dryrun = runner.dryrun(training_job(), "default");
  for (const slipway::Finding& finding : dryrun.findings)
    std::cout << dryrun.scheduler << " ignores " << finding.field << " of " << finding.role << '\n';

  const slipway::AppHandle handle = runner.schedule(dryrun);
  std::cout << "running " << slipway::to_string(handle) << '\n';

  slipway::LogQuery query;
  query.follow = true;
  int lines = 0;
  runner.log_lines(handle, query).each_line([&](const slipway::LogLine& line) {
    std::cout << line.role << '/' << line.replica << ' ' << line.text << '\n';
    ++lines;
    return true;
  });

  runner.wait(handle);
  const slipway::AppStatus status = runner.status(handle).value();
  std::cout << lines << " lines\n" << status.format();
  status.raise_for_status();
  runner.delete_app(handle);
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const slipway::Error& error) {
    std::cerr << error.message() << '\n' << error.hint() << '\n';
    return 1;
  }
}
