// Reads the state files of apps as commands do, also damaged ones.
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "plugins/local/engine/state_layout.hpp"
#include "sdk/support/checksum.hpp"
#include "slipway/abi/status.h"
#include "slipway/error.hpp"
#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

void overwrite(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

BOOST_FIXTURE_TEST_SUITE(LocalEngineStateFile, AppFixture)

BOOST_AUTO_TEST_CASE(app_without_a_record_is_neither_found_nor_listed) {
  BOOST_TEST(!read_app(ref("nothing")).has_value());
  BOOST_TEST(!read_spec(ref("nothing")).has_value());
  BOOST_TEST(list_apps(root()).empty());
  BOOST_TEST(!has_supervisor(ref("nothing")));
}

BOOST_AUTO_TEST_CASE(name_that_is_empty_hidden_or_a_path_is_no_app_and_no_session) {
  run(small_plan("app-1", 1));
  for (const char* name : {"", ".", "..", "../sess/app-1", "/app-1", ".hidden"}) {
    BOOST_TEST(!read_app(ref(name)).has_value());
    BOOST_TEST(!read_app({root(), name, "app-1"}).has_value());
  }
}

BOOST_AUTO_TEST_CASE(does_not_follow_a_symbolic_link) {
  run(small_plan("app-1", 1));
  std::filesystem::create_directory_symlink(path("app-1"), path("link"));
  BOOST_TEST(!read_app(ref("link")).has_value());
}

BOOST_AUTO_TEST_CASE(keeps_long_names_and_many_roles) {
  LaunchPlan plan = small_plan("app-1", 1);
  plan.app_name.clear();
  while (plan.app_name.size() + 3 <= 255) plan.app_name += "\xE2\x82\xAC";
  for (int i = 1; i < 300; ++i) {
    plan.groups.push_back(plan.groups[0]);
    plan.groups.back().role = std::string(200, 'r') + std::to_string(i);
  }
  const AppSnapshot app = run(plan);
  BOOST_TEST(app.name == plan.app_name);
  BOOST_TEST_REQUIRE(app.roles.size() == 300U);
  BOOST_TEST(app.roles[299].name == plan.groups[299].role);
  BOOST_TEST((app.state == AppState::kSucceeded));
  const auto apps = list_apps(root());
  BOOST_TEST_REQUIRE(apps.size() == 1U);
  BOOST_TEST(apps[0].name == plan.app_name);
}

BOOST_AUTO_TEST_CASE(truncated_state_file_is_refused_and_listed_with_its_problem) {
  run(small_plan("app-1", 3));
  const std::string file = path("app-1") + "/state.bin";
  const std::string good = slurp(file);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{100}, std::size_t{4096}, good.size() - 1}) {
    overwrite(file, good.substr(0, size));
    BOOST_CHECK_EXCEPTION(read_app(ref("app-1")), Error, is_invalid);
    const auto apps = list_apps(root());
    BOOST_TEST_REQUIRE(apps.size() == 1U);
    BOOST_TEST(!apps[0].problem.empty());
  }
  overwrite(file, good);
  BOOST_TEST(read_app(ref("app-1")).has_value());
}

BOOST_AUTO_TEST_CASE(changed_byte_in_the_header_tables_or_strings_never_crashes_a_reader) {
  run(small_plan("app-1", 3));
  const std::string file = path("app-1") + "/state.bin";
  const std::string good = slurp(file);
  for (std::size_t at = 0; at < 1500; ++at) {  // up to the strings and roles behind the header
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0xFF);
    overwrite(file, bad);
    try {
      read_app(ref("app-1"));
    } catch (const Error& error) {
      // An unknown version is reported as such, not as damage.
      const bool is_version =
          at >= offsetof(StateFixed, version) && at < offsetof(StateFixed, table_crc);
      BOOST_TEST((error.code() == (is_version ? Code::kUnavailable : Code::kInvalid)));
    }
    list_apps(root());
  }
  overwrite(file, good);
}

BOOST_AUTO_TEST_CASE(does_not_read_behind_ports_that_end_after_a_number) {
  LaunchPlan plan = small_plan("app-1", 1);
  plan.groups[0].ports = {{"http", 8080}};
  run(plan);
  const std::string file = path("app-1") + "/state.bin";
  std::string bytes = slurp(file);
  auto fixed = value_at<StateFixed>(bytes.data());
  fixed.ports.length = 1;  // the index of the entry, without the JSON object
  fixed.table_crc = 0;
  const std::size_t end = fixed.roles_offset + fixed.role_count * sizeof(RoleEntry);
  const std::string_view tables(bytes.data() + sizeof(StateHeader), end - sizeof(StateHeader));
  std::memcpy(bytes.data(), &fixed, sizeof fixed);
  fixed.table_crc = crc32(tables, crc32(std::string_view(bytes.data(), sizeof fixed)));
  std::memcpy(bytes.data(), &fixed, sizeof fixed);
  overwrite(file, bytes);
  const auto app = read_app(ref("app-1"));
  BOOST_TEST_REQUIRE(app.has_value());
  BOOST_TEST(app->roles[0].replicas[0].ports_json.empty());
}

BOOST_AUTO_TEST_CASE(merges_equal_replicas) {
  LaunchPlan plan = shell("app-1", 12, "test ${replica_id} != 5 || exit 3");
  LaunchGroup few = plan.groups[0];
  few.role = "few";
  few.count = SLIPWAY_MERGE_ABOVE;  // the most that are not merged
  plan.groups.push_back(few);
  run(plan);
  const AppSnapshot app = *read_app(ref("app-1"), Detail::kMerged);
  BOOST_TEST_REQUIRE(app.roles.size() == 2U);
  const auto& many = app.roles[0].replicas;
  BOOST_TEST_REQUIRE(many.size() == 3U);
  BOOST_TEST(many[0].id == 0);
  BOOST_TEST(many[0].count == 5);
  BOOST_TEST((many[0].state == AppState::kSucceeded));
  BOOST_TEST(many[0].pid == 0);
  BOOST_TEST(many[0].started_ns == 0);
  // A replica that differs from its neighbours keeps all its values.
  const AppSnapshot each = *read_app(ref("app-1"));
  BOOST_TEST(many[1].id == 5);
  BOOST_TEST(many[1].count == 1);
  BOOST_TEST((many[1].exit_code == std::optional<std::int32_t>(3)));
  BOOST_TEST(many[1].pid == each.roles[0].replicas[5].pid);
  BOOST_TEST(many[1].pid > 0);
  BOOST_TEST(many[1].started_ns == each.roles[0].replicas[5].started_ns);
  BOOST_TEST(many[1].finished_ns == each.roles[0].replicas[5].finished_ns);
  BOOST_TEST(many[1].finished_ns > many[1].started_ns);
  BOOST_TEST(many[2].id == 6);
  BOOST_TEST(many[2].count == 6);
  BOOST_TEST(app.roles[1].replicas.size() == std::size_t{SLIPWAY_MERGE_ABOVE});
  BOOST_TEST(each.roles[0].replicas.size() == 12U);
}

BOOST_AUTO_TEST_CASE(reads_more_replicas_than_fit_into_one_read) {
  run(small_plan("app-1", 3000));
  const AppSnapshot each = *read_app(ref("app-1"));
  BOOST_TEST_REQUIRE(each.roles[0].replicas.size() == 3000U);
  std::set<std::int64_t> starts;
  for (std::int32_t i = 0; i < 3000; ++i) {
    const ReplicaSnapshot& replica = each.roles[0].replicas[static_cast<std::size_t>(i)];
    BOOST_REQUIRE(replica.id == i && replica.state == AppState::kSucceeded && replica.pid > 0);
    BOOST_REQUIRE(replica.started_ns > 0 && replica.finished_ns >= replica.started_ns);
    starts.insert(replica.started_ns);
  }
  BOOST_TEST(starts.size() > 2900U);  // nearly all differ, so they were not copied from one replica
  const AppSnapshot merged = *read_app(ref("app-1"), Detail::kMerged);
  BOOST_TEST_REQUIRE(merged.roles[0].replicas.size() == 1U);
  BOOST_TEST(merged.roles[0].replicas[0].count == 3000);
}

BOOST_AUTO_TEST_CASE(does_not_hang_on_a_fifo) {
  run(small_plan("app-1", 1));
  const std::string file = path("app-1") + "/state.bin";
  std::filesystem::remove(file);
  BOOST_TEST_REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  BOOST_CHECK_EXCEPTION(read_app(ref("app-1")), Error, is_invalid);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
