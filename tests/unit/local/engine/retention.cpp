// Deletes finished apps, alone or by age, number and disk space.
#include "plugins/local/engine/retention.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "plugins/local/engine/app_lock.hpp"
#include "plugins/local/engine/deleted_apps.hpp"
#include "plugins/local/engine/foreign_record.hpp"
#include "slipway/error.hpp"
#include "tests/unit/descriptor_limit.hpp"
#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

BOOST_FIXTURE_TEST_SUITE(LocalEngineRetention, AppFixture)

BOOST_AUTO_TEST_CASE(only_finished_apps_can_be_deleted) {
  launch(shell("app-1", 1, "exec sleep 1000"));
  BOOST_CHECK_EXCEPTION(delete_app(ref("app-1")), Error,
                        [](const Error& error) { return error.code() == Code::kPrecondition; });
  cancel_app(ref("app-1"), helper_path, std::nullopt, /*now=*/true);
  wait("app-1");
  delete_app(ref("app-1"));
  BOOST_TEST(!std::filesystem::exists(path("app-1")));
  BOOST_CHECK_EXCEPTION(delete_app(ref("app-1")), Error,
                        [](const Error& error) { return error.code() == Code::kNotFound; });
}

BOOST_AUTO_TEST_CASE(deletion_that_waits_for_a_supervisor_can_be_cancelled) {
  launch(shell("app-1", 1, "true"));
  wait("app-1");
  const OwnedFd dir = open_app_dir(ref("app-1"));
  // Holds the lock as the supervisor of a finished app does for a moment.
  OwnedFd lock = wait_for_lock(dir.get(), std::chrono::seconds(10), {});
  BOOST_TEST_REQUIRE(static_cast<bool>(lock));
  slipway_host host{};
  host.struct_size = sizeof host;
  host.cancel_requested = [](const slipway_cancel*) { return std::int32_t{1}; };
  host.cancel_fd = [](const slipway_cancel*) { return std::int32_t{-1}; };
  auto context = abi::sized<slipway_call>();
  const int any = 0;  // the functions of `host` do not look at it
  context.cancel = reinterpret_cast<const slipway_cancel*>(&any);
  BOOST_CHECK_EXCEPTION(delete_app(ref("app-1"), Call(&context, &host, nullptr)), Error,
                        [](const Error& error) { return error.code() == Code::kCancelled; });
  lock.reset();
  delete_app(ref("app-1"));
  BOOST_TEST(!std::filesystem::exists(path("app-1")));
}

BOOST_AUTO_TEST_CASE(damaged_record_counts_as_own_and_one_that_cannot_be_read_now_does_not) {
  run(small_plan("app-1", 1));
  wait_for_supervisor_to_leave("app-1");
  const OwnedFd dir = open_app_dir(ref("app-1"));
  const auto require_own_app = [&] { require_own_record(ref("app-1"), dir.get()); };
  const auto is_damage = [](const Error& error) { return error.code() == Code::kInvalid; };
  require_own_app();
  {
    const DescriptorLimit none(0);
    BOOST_CHECK_EXCEPTION(require_own_app(), Error, std::not_fn(is_damage));
  }
  const std::string plan = path("app-1") + "/plan.bin";
  std::ofstream(path("app-1") + "/state.bin") << "damaged";
  require_own_app();  // the plan names this machine
  // Another user may have changed the plan.
  std::filesystem::permissions(plan, std::filesystem::perms(0666));
  BOOST_CHECK_EXCEPTION(require_own_app(), Error,
                        [](const Error& error) { return error.code() == Code::kDenied; });
  std::filesystem::permissions(plan, std::filesystem::perms(0600));
  std::ofstream(plan) << "damaged";
  require_own_app();
  std::filesystem::remove(plan);
  require_own_app();
  std::filesystem::create_symlink("/dev/null", plan);
  require_own_app();
}

BOOST_AUTO_TEST_CASE(prunes_the_oldest_finished_apps) {
  for (const char* id : {"a", "b", "c"}) {
    run(small_plan(id, 1));
    wait_for_supervisor_to_leave(id);
  }
  launch(shell("d", 1, "exec sleep 1000"));
  BOOST_TEST(prune_finished(root(), list_apps(root()), {.apps = 1}).apps == 2U);
  const auto left = list_apps(root());
  BOOST_TEST_REQUIRE(left.size() == 2U);
  BOOST_TEST(left[0].app_id == "c");
  BOOST_TEST(left[1].app_id == "d");
}

BOOST_AUTO_TEST_CASE(space_limit_spares_apps_that_ended_within_a_day) {
  for (const char* id : {"a", "b"}) {
    run(small_plan(id, 1));
    wait_for_supervisor_to_leave(id);
  }
  std::vector<AppSummary> apps = list_apps(root());
  BOOST_TEST_REQUIRE(apps.size() == 2U);
  apps[0].finished_ns -= std::chrono::nanoseconds(std::chrono::hours(25)).count();
  apps[0].order = apps[0].finished_ns;
  Retention keep;
  keep.bytes = 1'000'000'000;
  BOOST_TEST(prune_finished(root(), apps, keep).apps == 0U);
  keep.bytes = 0;
  BOOST_TEST(prune_finished(root(), apps, keep).apps == 0U,
             "the space was measured within this hour");
  BOOST_REQUIRE(::unlink((root() + "/.measured").c_str()) == 0);
  const Pruned pruned = prune_finished(root(), apps, keep);
  BOOST_TEST(pruned.apps == 1U);
  BOOST_TEST(pruned.apps_over_bytes == 1U);
  BOOST_TEST(why_deleted(ref("a")).value().text.find("keep_gb=0") != std::string::npos);
  BOOST_TEST(!why_deleted(ref("b")));
  BOOST_TEST(list_apps(root()).front().app_id == "b");
}

BOOST_AUTO_TEST_CASE(space_limit_deletes_those_that_ended_first) {
  for (const char* id : {"a", "b", "c"}) {
    run(small_plan(id, 1));
    wait_for_supervisor_to_leave(id);
  }
  // `b` alone exceeds the limit together with `c`; the small `a` ended before it.
  std::ofstream(path("b") + "/large") << std::string(4'000'000, 'x');
  std::vector<AppSummary> apps = list_apps(root());
  for (AppSummary& app : apps)
    app.finished_ns = app.order = app.app_id == "a" ? 1 : app.app_id == "b" ? 2 : 3;
  Retention keep;
  keep.bytes = 3'000'000;
  BOOST_TEST(prune_finished(root(), apps, keep).apps_over_bytes == 2U);
  const auto left = list_apps(root());
  BOOST_TEST_REQUIRE(left.size() == 1U);
  BOOST_TEST(left[0].app_id == "c");
}

BOOST_AUTO_TEST_CASE(reason_of_a_deletion_has_all_digits_of_the_limit) {
  run(small_plan("a", 1));
  wait_for_supervisor_to_leave("a");
  std::vector<AppSummary> apps = list_apps(root());
  apps.at(0).finished_ns = apps.at(0).order = 1;
  Retention keep;
  keep.age_ms = std::int64_t{12345} * 24 * 3600 * 1000 + 6 * 3600 * 1000;
  BOOST_TEST(prune_finished(root(), apps, keep).apps == 1U);
  BOOST_TEST(why_deleted(ref("a")).value().text.find("keep_days=12345.25") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(deletion_is_found_after_a_line_that_was_cut_short) {
  std::filesystem::create_directories(root() + "/sess");
  const std::string list = root() + "/sess/.pruned";
  std::ofstream(list) << "z\t17";
  note_deleted(ref("a"), 0, "");
  note_deleted(ref("b"), 0, "");
  BOOST_TEST(why_deleted(ref("a")).has_value());
  BOOST_TEST(why_deleted(ref("b")).has_value());
  BOOST_TEST(!why_deleted(ref("z")));
  const std::string text = file_text(list).value();
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 3);
}

BOOST_AUTO_TEST_CASE(log_directory_with_the_draft_of_its_success_file_is_deleted) {
  LaunchPlan plan = small_plan("a", 1);
  plan.log_dir = top() + "/logs";
  run(plan);
  wait_for_supervisor_to_leave("a");
  // As left by a supervisor that was killed before it renamed the draft.
  std::ofstream(plan.log_dir + "/.SUCCESS") << "{";
  delete_app(ref("a"));
  BOOST_TEST(!std::filesystem::exists(plan.log_dir));
}

BOOST_AUTO_TEST_CASE(held_record_is_not_pruned) {
  run(small_plan("a", 1));
  wait_for_supervisor_to_leave("a");
  OwnedFd reader = hold_record(ref("a"));
  BOOST_TEST_REQUIRE(static_cast<bool>(reader));
  BOOST_TEST(prune_finished(root(), list_apps(root()), {.apps = 0}).apps == 0U);
  BOOST_TEST((read_app(ref("a"))->state == AppState::kSucceeded));
  reader.reset();
  BOOST_TEST(prune_finished(root(), list_apps(root()), {.apps = 0}).apps == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
