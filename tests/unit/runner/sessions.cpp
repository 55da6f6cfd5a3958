// Apps of other sessions, and the failures that a program can distinguish.
#include <stdlib.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "core/runner/runner.hpp"
#include "tests/unit/built_files.hpp"

namespace slipway {
namespace {

// Runners on the built tree that share a state directory.
struct Sessions {
  std::filesystem::path state;

  Sessions() {
    char path[] = "/tmp/slipway-unit-sessions-XXXXXX";
    BOOST_REQUIRE(::mkdtemp(path) != nullptr);
    state = path;
    ::setenv("XDG_STATE_HOME", path, 1);
  }
  ~Sessions() {
    std::error_code error;
    std::filesystem::remove_all(state, error);
  }

  static RunnerOptions options(const std::string& session, bool strict = false) {
    RunnerOptions out;
    out.session = session;
    out.strict_sessions = strict;
    out.search.prefix = test::built_tree();
    out.search.no_plugins = true;
    return out;
  }
  static AppDef app(const std::string& script) {
    return AppDef("app").of(Role("w").runs("/bin/sh", {"-c", script}));
  }
  static std::vector<std::string> lines(AppLogs logs) {
    std::vector<std::string> out;
    logs.each_line([&](const LogLine& line) {
      out.emplace_back(line.text);
      return true;
    });
    return out;
  }
};

BOOST_FIXTURE_TEST_SUITE(RunnerSessions, Sessions)

BOOST_AUTO_TEST_CASE(strict_runner_accepts_an_attached_app_of_another_session) {
  Runner theirs(options("theirs"));
  const AppHandle handle = theirs.run(app("echo one"), "local_cwd");
  theirs.wait(handle);

  Runner mine(options("mine", /*strict=*/true));
  BOOST_CHECK_THROW(mine.status(handle), SessionMismatch);
  BOOST_CHECK_THROW(mine.cancel(handle), SessionMismatch);
  const AppHandle attached = mine.attach(handle);
  BOOST_TEST(to_string(attached) == "local_cwd://mine/" + handle.app_id);
  BOOST_TEST((mine.status(attached)->state() == AppState::kSucceeded));
  BOOST_TEST(mine.status(handle).has_value());  // the app's own handle is now accepted also
  BOOST_TEST((lines(mine.log_lines(attached, {})) == std::vector<std::string>{"one"}));
  BOOST_TEST(mine.exists(attached));
  // Attaching moves no app: another runner of the session does not find it.
  BOOST_TEST(!Runner(options("mine")).exists(attached));
}

BOOST_AUTO_TEST_CASE(attached_app_is_found_by_the_alias_of_its_scheduler) {
  Runner theirs(options("theirs"));
  const AppHandle handle = theirs.run(app("exit 0"), "local_cwd");
  theirs.wait(handle);

  Runner mine(options("mine", /*strict=*/true));
  mine.attach({kDefaultSchedulerAlias, "theirs", handle.app_id});
  for (const char* session : {"mine", "theirs"})
    BOOST_TEST(mine.status({kDefaultSchedulerAlias, session, handle.app_id}).has_value(), session);
}

BOOST_AUTO_TEST_CASE(lenient_runner_accepts_handles_of_all_sessions) {
  Runner theirs(options("theirs"));
  const AppHandle handle = theirs.run(app("exit 0"), "local_cwd");
  Runner mine(options("mine"));
  BOOST_TEST((mine.wait(handle) == WaitResult::kDone));
}

BOOST_AUTO_TEST_CASE(a_run_option_given_as_null_takes_its_default) {
  Runner runner(options("s"));
  const AppDryRun dryrun =
      runner.dryrun(app("exit 0"), "local_cwd", {{"grace_s", Value()}, {"log_dir", Value()}});
  BOOST_TEST(dryrun.cfg.real("grace_s") == 10.0);
  BOOST_TEST((type_of(*dryrun.cfg.find("log_dir")) == ValueType::kNone));
}

BOOST_AUTO_TEST_CASE(each_kind_of_failure_has_its_own_exception) {
  Runner runner(options("s"));
  const AppHandle missing{"local_cwd", "s", "missing"};
  BOOST_CHECK_THROW(runner.attach(missing), UnknownApp);
  BOOST_CHECK_THROW(runner.attach({"local_cwd", "t", "missing"}), UnknownApp);
  BOOST_CHECK_THROW(runner.rerun(missing), UnknownApp);
  BOOST_CHECK_THROW(runner.log_lines(missing, {}), UnknownApp);
  BOOST_TEST(!runner.exists(missing));
  BOOST_CHECK_THROW(runner.run_opts("nope"), UnknownScheduler);
  BOOST_CHECK_THROW(runner.status({"nope", "s", "a"}), UnknownScheduler);
  // A number is neither a text nor a bool.
  BOOST_CHECK_THROW(runner.dryrun(app("exit 0"), "local_cwd", {{"log_dir", std::int64_t{1}}}),
                    InvalidRunConfig);
  BOOST_CHECK_THROW(runner.dryrun(app("exit 0"), "local_cwd", {{"prepend_cwd", std::int64_t{1}}}),
                    InvalidRunConfig);
  BOOST_CHECK_THROW(parse_app_handle("garbage"), MalformedAppHandle);
  const AppHandle there = runner.run(app("exit 0"), "local_cwd");
  LogQuery query;
  query.targets = {{"no such role", {}}};
  BOOST_CHECK_EXCEPTION(runner.log_lines(there, query), Error, [](const Error& error) {
    return error.code() == Code::kNotFound && dynamic_cast<const UnknownApp*>(&error) == nullptr;
  });
  runner.wait(there);
}

BOOST_AUTO_TEST_CASE(alias_of_the_default_scheduler_is_replaced_by_its_name) {
  Runner runner(options("s"));
  BOOST_TEST(runner.dryrun(app("exit 0"), "default").scheduler == "local_cwd");
  BOOST_TEST(runner.run_opts("default").size() == runner.run_opts("local_cwd").size());
  RunnerOptions other = options("s");
  other.default_scheduler = "local_dir";
  AppDef in_tmp = app("exit 0");
  in_tmp.roles[0].image = "/tmp";  // local_dir needs a directory
  BOOST_TEST(Runner(other).dryrun(in_tmp, "default").scheduler == "local_dir");
}

BOOST_AUTO_TEST_CASE(app_can_be_run_again_after_the_runner_was_closed) {
  Runner runner(options("s"));
  const AppHandle first = runner.run(app("echo again"), "local_cwd");
  runner.wait(first);
  runner.close();
  const AppHandle second = runner.rerun(first);
  BOOST_TEST(second.app_id != first.app_id);
  runner.wait(second);
  BOOST_TEST((lines(runner.log_lines(second, {})) == std::vector<std::string>{"again"}));
  BOOST_CHECK_NO_THROW(runner.status(second)->raise_for_status());
  runner.delete_app(second);
  BOOST_TEST(!runner.exists(second));
}

BOOST_AUTO_TEST_CASE(log_lines_start_at_the_requested_line) {
  Runner runner(options("s"));
  const AppHandle handle = runner.run(app("printf 'a\\n\\nb\\nend'"), "local_cwd");
  runner.wait(handle);
  using Lines = std::vector<std::string>;
  BOOST_TEST((lines(runner.log_lines(handle, {})) == Lines{"a", "", "b", "end"}));
  BOOST_TEST((lines(runner.log_lines(handle, {}, 2)) == Lines{"b", "end"}));
  BOOST_TEST((lines(runner.log_lines(handle, {}, 3)) == Lines{"end"}));
  BOOST_TEST(lines(runner.log_lines(handle, {}, 4)).empty());
  int taken = 0;
  runner.log_lines(handle, {}).each_line([&](const LogLine&) { return ++taken < 2; });
  BOOST_TEST(taken == 2);
}

BOOST_AUTO_TEST_CASE(field_that_no_scheduler_supports_is_a_finding) {
  Runner runner(options("s"));
  AppDef odd = app("exit 0");
  odd.roles[0].deployment_preference = "anywhere";
  const AppDryRun dryrun = runner.dryrun(odd, "local_cwd");
  BOOST_TEST(std::count_if(dryrun.findings.begin(), dryrun.findings.end(), [](const Finding& f) {
               return f.field == "deployment_preference" && f.role == "w";
             }) == 1);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(PreProcOfARole, Sessions)

// Returns a patch that makes the only replica of role `w` print `text`.
std::string patch_that_prints(const std::string& request, const std::string& text) {
  // The object of the replica; after its key "cwd", it has no "]}".
  const std::size_t from = request.find("\"w\":[{") + 5;
  std::string replica = request.substr(from, request.find("]}", request.find("\"cwd\"")) - from);
  const std::size_t word = replica.find("echo ") + 5;
  replica.replace(word, replica.find('"', word) - word, text);
  return "{\"role_params\":{\"w\":[" + replica + "]}}";
}

BOOST_AUTO_TEST_CASE(each_patch_changes_the_result_of_the_previous_one) {
  Runner runner(options("s"));
  std::vector<std::string> seen;
  AppDef twice = app("echo first");
  twice.roles[0].before_schedule([&](const std::string& scheduler, const std::string& request) {
    seen.push_back(scheduler + (request.find("echo first") != std::string::npos ? " first" : ""));
    return patch_that_prints(request, "second");
  });
  twice.of(Role("v")
               .runs("/bin/true")
               .before_schedule([&](const std::string& scheduler, const std::string& request) {
                 seen.push_back(scheduler + (request.find("echo second") != std::string::npos
                                                 ? " second"
                                                 : ""));
                 return std::string();
               }));
  const AppDryRun dryrun = runner.dryrun(twice, "default");
  BOOST_TEST((seen == std::vector<std::string>{"local_cwd first", "local_cwd second"}));
  const AppHandle handle = runner.schedule(dryrun);
  runner.wait(handle);
  BOOST_TEST((lines(runner.log_lines(handle, {})) == std::vector<std::string>{"second"}));
}

BOOST_AUTO_TEST_CASE(failed_pre_proc_is_not_a_refusal_of_the_workspaces_copy) {
  Runner runner(options("s"));
  int calls = 0;
  AppDef failing = app("exit 0");
  failing.roles[0].before_schedule([&](const std::string&, const std::string&) -> std::string {
    throw Error(Code::kNotFound, "call " + std::to_string(++calls));
  });
  BOOST_CHECK_EXCEPTION(runner.dryrun(failing, "local_cwd", {}, {}, state.string()), Error,
                        [](const Error& error) { return error.message() == "call 1"; });
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(pre_proc_is_called_once_if_the_scheduler_ignores_the_workspace) {
  Runner runner(options("s"));
  int calls = 0;
  AppDef counting = app("exit 0");
  counting.roles[0].before_schedule([&](const std::string&, const std::string&) {
    ++calls;
    return std::string();
  });
  const AppDryRun dryrun = runner.dryrun(counting, "local_cwd", {}, {}, state.string());
  BOOST_TEST(!dryrun.workspace);
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(a_patch_that_cannot_be_applied_names_the_role) {
  Runner runner(options("s"));
  for (const char* patch : {"not json", "{\"app_id\":\"mine\"}"}) {
    AppDef bad = app("exit 0");
    bad.roles[0].before_schedule(
        [&](const std::string&, const std::string&) { return std::string(patch); });
    BOOST_CHECK_EXCEPTION(runner.dryrun(bad, "local_cwd"), Error, [](const Error& error) {
      return error.code() == Code::kInvalid &&
             error.message().find("pre_proc of role w") != std::string::npos;
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
