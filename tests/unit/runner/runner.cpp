// Uses the library like a program does, with real processes.
#include "core/runner/runner.hpp"

#include <stdlib.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "core/resources/resource_book.hpp"
#include "slipway/error.hpp"
#include "tests/unit/built_files.hpp"

namespace slipway {
namespace {

// A runner on the built tree with its own state directory.
struct LocalRunner {
  std::filesystem::path state;
  std::unique_ptr<Runner> runner;

  LocalRunner() {
    char path[] = "/tmp/slipway-unit-runner-XXXXXX";
    BOOST_REQUIRE(::mkdtemp(path) != nullptr);
    state = path;
    ::setenv("XDG_STATE_HOME", path, 1);
    RunnerOptions options;
    options.session = "unit";
    options.search.prefix = test::built_tree();
    options.search.no_plugins = true;
    runner = std::make_unique<Runner>(options);
  }
  ~LocalRunner() {
    runner.reset();
    std::error_code error;
    std::filesystem::remove_all(state, error);
  }

  AppDef shell(const std::string& script, std::int32_t replicas = 1) const {
    Role role("w");
    role.runs("/bin/sh", {"-c", script}).replicas(replicas);
    return AppDef("app").of(role);
  }
};

std::string log_text(Runner& runner, const AppHandle& handle, const LogQuery& query = {}) {
  std::string out;
  auto logs = runner.log_lines(handle, query);
  while (logs.next(-1, [&](const LogChunk& chunk) { out.append(chunk.bytes); }) !=
         LogIterator::Next::kEnd) {
  }
  return out;
}

BOOST_FIXTURE_TEST_SUITE(RunnerOnLocal, LocalRunner)

BOOST_AUTO_TEST_CASE(named_resource_is_found_or_a_near_name_is_suggested) {
  BOOST_TEST(runner->get_named_resources("gpu.small").gpu == 1);
  BOOST_CHECK_EXCEPTION(runner->get_named_resources("gpu.smal"), Error, [](const Error& error) {
    return error.code() == Code::kNotFound && error.hint() == "did you mean gpu.small?";
  });
}

BOOST_AUTO_TEST_CASE(names_schedulers_and_their_options_and_creates_no_file) {
  const auto backends = runner->scheduler_backends();
  BOOST_TEST((backends == std::vector<std::string>{"docker", "local", "local_cwd", "local_dir",
                                                   "local_docker", "slurm"}));
  BOOST_TEST((runner->run_opts("local_cwd").get("grace_s") != nullptr));
  BOOST_TEST(!std::filesystem::exists(state / "slipway"));
}

BOOST_AUTO_TEST_CASE(a_dry_run_creates_no_file_and_adds_torchx_variables) {
  const AppDryRun dryrun = runner->dryrun(shell("exit 0"), "local_cwd", {}, "parent-1");
  const std::string* job = find(dryrun.app.roles[0].env, "TORCHX_JOB_ID");
  BOOST_REQUIRE(job != nullptr);
  BOOST_TEST(*job == "local_cwd://unit/${app_id}");
  BOOST_TEST(*find(dryrun.app.roles[0].env, "TORCHX_PARENT_RUN_ID") == "parent-1");
  BOOST_TEST(dryrun.request.json().find("\"role_params\"") != std::string::npos);
  BOOST_TEST(!std::filesystem::exists(state / "slipway"));
}

BOOST_AUTO_TEST_CASE(runs_waits_and_reads_logs) {
  const AppHandle handle = runner->run(shell("echo replica ${replica_id}", 2), "local_cwd");
  BOOST_TEST((runner->wait(handle) == WaitResult::kDone));
  const auto status = runner->status(handle);
  BOOST_REQUIRE(status);
  BOOST_TEST((status->description.state == AppState::kSucceeded));
  BOOST_TEST(status->description.roles.at(0).replicas.size() == 2u);
  BOOST_TEST(log_text(*runner, handle) == "replica 0\nreplica 1\n");
}

BOOST_AUTO_TEST_CASE(app_runs_although_the_log_function_throws) {
  RunnerOptions options;
  options.session = "unit";
  options.search.prefix = test::built_tree();
  options.search.no_plugins = true;
  options.log = [](auto&&...) { throw std::runtime_error("no log"); };
  Runner throwing(options);
  AppDryRun dryrun = throwing.dryrun(shell("exit 0"), "local_cwd");
  dryrun.complete_record = [](RunRecord&) { throw std::runtime_error("no record"); };
  const AppHandle handle = throwing.schedule(dryrun);
  BOOST_TEST((throwing.wait(handle) == WaitResult::kDone));
  BOOST_TEST(!throwing.run_record(handle));
}

BOOST_AUTO_TEST_CASE(a_patched_request_runs_as_patched) {
  AppDryRun dryrun = runner->dryrun(shell("echo before"), "local_cwd");
  const std::string request = dryrun.request.json();
  // The object of the only replica; after its key "cwd", it has no "]}".
  const std::size_t from = request.find("\"w\":[{") + 5;
  std::string replica = request.substr(from, request.find("]}", request.find("\"cwd\"")) - from);
  const std::size_t word = replica.find("echo before");
  BOOST_REQUIRE(word != std::string::npos);
  replica.replace(word, 11, "echo $$ after");
  const std::string patch = "{\"role_params\":{\"w\":[" + replica + "]}}";

  BOOST_CHECK_THROW(dryrun.request.patch("{\"app_id\":\"other\"}"), Error);
  BOOST_CHECK_THROW(dryrun.request.patch("{\"role_params\":{\"w\":[]}}"), Error);
  BOOST_CHECK_THROW(dryrun.request.patch("not json"), Error);
  for (const std::string stream : {"stdout", "stderr", "combined"}) {
    std::string moved = patch;
    moved.replace(moved.find("/" + stream + ".log"), 1, "/other-");
    BOOST_CHECK_EXCEPTION(dryrun.request.patch(moved), Error, [&](const Error& error) {
      return error.message().find("w[0]." + stream + " has changed") != std::string::npos;
    });
  }
  BOOST_TEST(dryrun.request.json() == request);
  dryrun.request.patch(patch);
  const AppHandle handle = runner->schedule(dryrun);
  runner->wait(handle);
  // A patched request is literal: "$$" is now the shell's pid and not a macro.
  const std::string text = log_text(*runner, handle);
  BOOST_TEST(text.find(" after\n") != std::string::npos);
  BOOST_TEST(text.find('$') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_missing_app_is_an_error_only_in_functions_that_need_an_app) {
  const AppHandle missing{"local_cwd", "unit", "missing"};
  BOOST_TEST(!runner->exists(missing));
  BOOST_TEST((runner->wait(missing) == WaitResult::kNoSuchApp));
  BOOST_TEST(!runner->status(missing));
  BOOST_TEST(!runner->describe(missing));
  BOOST_TEST(!runner->run_record(missing));
  BOOST_CHECK_NO_THROW(runner->cancel(missing));
  BOOST_CHECK_NO_THROW(runner->delete_app(missing));
  SignalOrder order;
  order.signal = SIGUSR1;
  BOOST_CHECK_THROW(runner->signal(missing, order), UnknownApp);
  BOOST_CHECK_THROW(runner->log_lines(missing, {}), UnknownApp);
  BOOST_CHECK_THROW(runner->rerun(missing), UnknownApp);
  BOOST_CHECK_THROW(runner->attach(missing), UnknownApp);
}

BOOST_AUTO_TEST_CASE(a_wait_ends_when_its_time_is_over_and_cancel_ends_the_app) {
  const AppHandle handle = runner->run(shell("sleep 300"), "local_cwd");
  WaitOptions options;
  options.timeout = std::chrono::milliseconds(20);
  BOOST_TEST((runner->wait(handle, options) == WaitResult::kTimeout));
  options.timeout.reset();
  options.until = AppState::kRunning;
  BOOST_TEST((runner->wait(handle, options) == WaitResult::kDone));
  runner->cancel(handle, {.now = true, .grace_ms = {}});
  runner->cancel(handle);  // a second cancellation is not an error
  BOOST_TEST((runner->wait(handle) == WaitResult::kDone));
  BOOST_TEST((runner->status(handle)->description.state == AppState::kCancelled));
}

BOOST_AUTO_TEST_CASE(describe_returns_the_app_and_delete_removes_it) {
  AppDef app = shell("exit 0");
  app.roles[0].env = {{"A", "1"}};
  app.roles[0].metadata_json = R"({"k":["v"]})";
  const AppHandle handle = runner->run(app, "local_cwd");
  runner->wait(handle);
  const auto described = runner->describe(handle);
  BOOST_REQUIRE(described);
  BOOST_TEST(described->roles.at(0).args == app.roles[0].args);
  BOOST_TEST(described->roles[0].metadata_json == R"({"k":["v"]})");
  const std::string* variable = find(described->roles[0].env, "A");
  BOOST_REQUIRE((variable != nullptr));
  BOOST_TEST(*variable == "1");
  BOOST_TEST(runner->list("local_cwd").size() == 1u);
  runner->delete_app(handle);
  BOOST_TEST(runner->list("local_cwd").empty());
}

BOOST_AUTO_TEST_CASE(a_deleted_app_is_missing_and_its_description_fails_with_the_reason) {
  const AppHandle handle = runner->run(shell("exit 0"), "local_cwd");
  runner->wait(handle);
  runner->delete_app(handle);
  const auto says_why = [](const Error& error) {
    return error.code() == Code::kNotFound && error.message().find("deleted") != std::string::npos;
  };
  BOOST_TEST(!runner->exists(handle));
  BOOST_CHECK_EXCEPTION(runner->status(handle), Error, says_why);
  BOOST_CHECK_EXCEPTION(runner->wait(handle), Error, says_why);
  BOOST_CHECK_EXCEPTION(runner->describe(handle), Error, says_why);
  BOOST_CHECK_NO_THROW(runner->cancel(handle));
  BOOST_CHECK_NO_THROW(runner->delete_app(handle));
}

BOOST_AUTO_TEST_CASE(unknown_scheduler_is_refused_with_the_known_ones) {
  BOOST_CHECK_EXCEPTION(
      runner->dryrun(shell("exit 0"), "local_cdw"), Error, [](const Error& error) {
        return error.code() == Code::kNotFound &&
               error.message().find("known: docker local local_cwd") != std::string::npos;
      });
}

BOOST_AUTO_TEST_CASE(resources_of_plugins_are_found_by_name) {
  resources::ResourceBook book(runner->plugins());
  const auto gpu = book.find("gpu.small");
  BOOST_REQUIRE(gpu);
  BOOST_TEST(gpu->gpu == 1);
  BOOST_TEST(gpu->mem_mb == 32768);
  BOOST_TEST(!book.find("gpu.tiny"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
