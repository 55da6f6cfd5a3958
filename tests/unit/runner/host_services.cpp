// Services of the host for plug-ins, used by a real library.
#include <stdlib.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "core/runner/runner.hpp"
#include "slipway/error.hpp"
#include "tests/unit/built_files.hpp"
#include "tests/unit/spec/temporary_directory.hpp"

namespace slipway {
namespace {

struct AskingRunner {
  spec::test::TemporaryDirectory directory;
  std::vector<std::string> messages;
  Runner runner{options()};

  RunnerOptions options() {
    ::setenv("XDG_STATE_HOME", directory.path("home/state").c_str(), 1);
    RunnerOptions out;
    out.search.prefix = test::built_tree();
    out.search.site_dir = "/nonexistent";  // plug-ins of this machine's site must not interfere
    out.search.plugin_path = {test::test_plugin("asking_plugin")};
    out.log = [this](LogLevel, std::string_view plugin, std::string_view message) {
      messages.push_back(std::string(plugin) + ": " + std::string(message));
    };
    return out;
  }
  static AppDef app(const std::string& image) {
    Role role("w");
    role.runs("/bin/true").on(image);
    return AppDef("app").of(role);
  }
};

BOOST_FIXTURE_TEST_SUITE(HostServices, AskingRunner)

BOOST_AUTO_TEST_CASE(image_provider_of_another_plugin_is_found_by_scheme) {
  const AppDryRun dryrun = runner.dryrun(app("dir:///tmp"), "asking");
  const std::string begin = R"({"root":"/tmp","program":"/bin/true","cwd":"/tmp","state":")" +
                            directory.path("home/state/slipway") + '"';
  BOOST_TEST(dryrun.request.json().find(begin) == 0U);
  BOOST_TEST(
      (messages == std::vector<std::string>{"org.slipway.test.asking: resolved dir:///tmp"}));
}

BOOST_AUTO_TEST_CASE(an_image_provider_is_found_by_name) {
  const std::string here = std::filesystem::current_path().string();
  const AppDryRun dryrun = runner.dryrun(app("cwd"), "asking");
  BOOST_TEST(dryrun.request.json().find("\"root\":\"" + here + "\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(providers_error_reaches_the_caller) {
  BOOST_CHECK_EXCEPTION(runner.dryrun(app("dir:///no/such/image"), "asking"), Error,
                        [](const Error& error) {
                          return error.code() == Code::kInvalid &&
                                 error.message().find("/no/such/image") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(unknown_scheme_is_refused_with_the_known_ones) {
  BOOST_CHECK_EXCEPTION(runner.dryrun(app("oci://x"), "asking"), Error, [](const Error& error) {
    return error.code() == Code::kNotFound && error.message().find(" cwd dir") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(an_error_keeps_its_code_message_place_and_hint) {
  const AppDryRun dryrun = runner.dryrun(app("cwd"), "asking");
  BOOST_CHECK_EXCEPTION(runner.schedule(dryrun), Error, [](const Error& error) {
    return error.code() == Code::kTemporary && error.message() == "queue 7: not today" &&
           error.hint() == "try tomorrow" && error.where() == "org.slipway.test.asking";
  });
}

BOOST_AUTO_TEST_CASE(state_directory_exists_when_the_scheduler_is_called_to_submit) {
  const std::string state = directory.path("home/state/slipway");
  const AppDryRun dryrun = runner.dryrun(app("cwd"), "asking");
  BOOST_TEST(!std::filesystem::exists(directory.path("home")));
  BOOST_CHECK_EXCEPTION(runner.schedule(dryrun), Error, [](const Error& error) {
    return error.message().find("not today") != std::string::npos;
  });
  BOOST_TEST((std::filesystem::status(state).permissions() == std::filesystem::perms::owner_all));
}

BOOST_AUTO_TEST_CASE(a_scheduler_without_state_submits_where_no_directory_can_be_made) {
  directory.file("home", "a file in place of the directory");
  BOOST_CHECK_EXCEPTION(runner.schedule(runner.dryrun(app("cwd"), "asking")), Error,
                        [](const Error& error) {
                          return error.message() == "queue 7: there is no directory for state";
                        });
}

BOOST_AUTO_TEST_CASE(option_with_the_meaning_workspace_dir_says_where_the_copy_goes) {
  const Dict<Value> cfg = {{"job_dir", std::string("mine")},
                           {"copy", std::string("/nowhere/copies")}};
  const AppDryRun dryrun = runner.dryrun(app({}), "asking", cfg, {}, "/usr/share/doc");
  const std::string request = dryrun.request.json();
  BOOST_TEST(request.find(R"("job_dir":"mine")") != std::string::npos, request);
  BOOST_TEST(request.find(R"("copy":"/nowhere/copies/app-)") != std::string::npos, request);
}

BOOST_AUTO_TEST_CASE(pre_proc_is_called_again_for_the_request_with_the_copy) {
  std::filesystem::create_directory(directory.path("project"));
  std::vector<std::string> requests;
  AppDef counting = app({});
  counting.roles[0].before_schedule([&](const std::string&, const std::string& request) {
    requests.push_back(request);
    return std::string();
  });
  const std::string project = directory.path("project");
  const AppDryRun dryrun = runner.dryrun(counting, "asking", {}, {}, project);
  // The scheduler needs an image that exists, which the copy does not yet.
  BOOST_TEST(requests.size() == 1U);
  BOOST_CHECK_THROW(runner.schedule(dryrun), Error);
  BOOST_REQUIRE(requests.size() == 2U);
  BOOST_TEST(requests[0].find("\"root\":\"" + project + '"') != std::string::npos);
  BOOST_TEST(requests[1].find("\"root\":\"" + dryrun.app.roles[0].image + '"') !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(logs_of_a_scheduler_without_logs_are_not_implemented) {
  BOOST_CHECK_EXCEPTION(runner.log_lines({"asking", "s", "a"}, {}), Error, [](const Error& error) {
    return error.code() == Code::kUnimplemented &&
           error.message() ==
               "no combined logs of asking://s/a can be read: this scheduler keeps no logs";
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
