// Lists apps with the index of the finished ones. The tests write the records, and no app runs.
#include "plugins/local/engine/app_list.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "plugins/local/engine/finished_index.hpp"
#include "plugins/local/engine/machine_identity.hpp"
#include "plugins/local/engine/record_check.hpp"
#include "plugins/local/engine/state_store.hpp"
#include "sdk/support/checksum.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"
#include "tests/unit/descriptor_limit.hpp"

namespace slipway::local {
namespace {

namespace fs = std::filesystem;

constexpr int kMany = 40;  // an index is written for more than 32 finished apps

void write(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

std::string slurp(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class RecordsFixture {
 public:
  RecordsFixture() {
    char name[] = "/tmp/slipway-list-XXXXXX";
    BOOST_TEST_REQUIRE(::mkdtemp(name) != nullptr);
    top_ = name;
    fs::create_directories(root());
  }
  ~RecordsFixture() {
    ::chmod(root().c_str(), 0700);
    std::error_code ignored;
    fs::remove_all(top_, ignored);
  }
  RecordsFixture(const RecordsFixture&) = delete;
  RecordsFixture& operator=(const RecordsFixture&) = delete;

  std::string root() const { return top_ + "/state"; }
  std::string top() const { return top_; }
  std::string index_file() const { return root() + "/.finished"; }
  std::string draft_file() const { return root() + "/.finished.new"; }
  std::string dir(const std::string& app_id) const { return root() + "/sess/" + app_id; }

  /// Writes the record of an app in this state; replaces the state of an earlier one.
  void record(const std::string& app_id, AppState state, std::int64_t submitted_ns = 1,
              const std::string& scheduler = "local_cwd") const {
    LaunchPlan plan;
    plan.app_id = app_id;
    plan.app_name = "name of " + app_id;
    plan.session = "sess";
    plan.scheduler = scheduler;
    plan.machine = this_machine();
    plan.order = submitted_ns;
    LaunchGroup group;
    group.role = "w";
    group.count = 1;
    plan.groups.push_back(group);
    fs::create_directories(dir(app_id));
    fs::remove(dir(app_id) + "/state.bin");
    const OwnedFd fd(::open(dir(app_id).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    create_state(fd.get(), plan, submitted_ns);
    StateStore store(fd.get());
    unseal(store.header());
    store.header().app_state.store(static_cast<std::uint32_t>(state));
    seal(store.header());
  }

  void record_many(int count = kMany) const {
    for (int i = 0; i < count; ++i) record("app-" + std::to_string(i), AppState::kSucceeded, i);
  }

  void damage(const std::string& app_id) const { write(dir(app_id) + "/state.bin", "damaged"); }

  std::optional<AppState> listed_state(const std::string& app_id) const {
    for (const AppSummary& app : list_apps(root())) {
      if (app.app_id == app_id) return app.state;
    }
    return std::nullopt;
  }

  /// Returns the ids of the listed apps whose records have no problem.
  std::set<std::string> listed() const {
    std::set<std::string> ids;
    for (const AppSummary& app : list_apps(root())) {
      if (app.problem.empty()) ids.insert(app.app_id);
    }
    return ids;
  }

  /// Returns the number of apps in the index file.
  std::size_t indexed() const { return FinishedIndex(slurp(index_file())).size(); }

 private:
  std::string top_;
};

BOOST_FIXTURE_TEST_SUITE(LocalEngineAppList, RecordsFixture)

BOOST_AUTO_TEST_CASE(finished_apps_are_listed_from_the_index) {
  record_many();
  const auto before = list_apps(root());
  BOOST_TEST(indexed() == static_cast<std::size_t>(kMany));
  struct stat info {};
  BOOST_TEST_REQUIRE(::stat(index_file().c_str(), &info) == 0);
  BOOST_TEST((info.st_mode & 0777U) == 0600U);
  for (int i = 0; i < kMany; ++i) damage("app-" + std::to_string(i));
  const auto after = list_apps(root());
  BOOST_TEST_REQUIRE(after.size() == static_cast<std::size_t>(kMany));
  for (std::size_t i = 0; i < after.size(); ++i) {
    BOOST_TEST(after[i].app_id == "app-" + std::to_string(i));
    BOOST_TEST(after[i].session == "sess");
    BOOST_TEST(after[i].name == before[i].name);
    BOOST_TEST(after[i].scheduler == before[i].scheduler);
    BOOST_TEST((after[i].state == before[i].state));
    BOOST_TEST(after[i].submitted_ns == before[i].submitted_ns);
    BOOST_TEST(after[i].finished_ns == before[i].finished_ns);
  }
}

BOOST_AUTO_TEST_CASE(few_apps_need_no_index) {
  record_many(32);
  BOOST_TEST(listed().size() == 32U);
  BOOST_TEST(!fs::exists(index_file()));
  damage("app-3");
  BOOST_TEST(listed().count("app-3") == 0U);
}

BOOST_AUTO_TEST_CASE(unfinished_apps_are_read_every_time) {
  record_many();
  record("active", AppState::kRunning);
  BOOST_TEST(listed().count("active") == 1U);
  BOOST_TEST(indexed() == static_cast<std::size_t>(kMany));
  record("active", AppState::kFailed);
  BOOST_TEST((listed_state("active") == AppState::kFailed));
}

BOOST_AUTO_TEST_CASE(apps_of_one_scheduler_are_listed_and_all_are_indexed) {
  record_many();
  record("other-1", AppState::kFailed, 100, "local_dir");
  record("other-0", AppState::kFailed, 100, "local_dir");
  for (int round = 0; round < 2; ++round) {
    const auto apps = list_apps(root(), "local_dir");
    BOOST_TEST_REQUIRE(apps.size() == 2U);
    BOOST_TEST(apps[0].app_id == "other-0");
    BOOST_TEST(apps[1].app_id == "other-1");
    BOOST_TEST(indexed() == static_cast<std::size_t>(kMany) + 2U);
  }
  BOOST_TEST(list_apps(root(), "nobody").empty());
}

BOOST_AUTO_TEST_CASE(new_apps_are_listed_at_once_and_indexed_when_there_are_many) {
  record_many();
  listed();
  for (int i = 0; i < 33; ++i) {
    record("later-" + std::to_string(i), AppState::kFailed);
    BOOST_TEST(listed().size() == static_cast<std::size_t>(kMany + i + 1));
    BOOST_TEST(indexed() == static_cast<std::size_t>(i < 32 ? kMany : kMany + 33));
  }
}

BOOST_AUTO_TEST_CASE(deleted_apps_leave_the_list_at_once_and_the_index_when_most_are_gone) {
  record_many(80);
  listed();
  for (int i = 0; i < 40; ++i) fs::remove_all(dir("app-" + std::to_string(i)));
  const auto ids = listed();
  BOOST_TEST(ids.size() == 40U);
  BOOST_TEST(ids.count("app-0") == 0U);
  BOOST_TEST(indexed() == 80U);  // half of its entries are still valid
  fs::remove_all(dir("app-40"));
  BOOST_TEST(listed().size() == 39U);
  BOOST_TEST(indexed() == 39U);
}

BOOST_AUTO_TEST_CASE(directory_that_replaces_another_is_read_again) {
  record_many();
  listed();
  record("replacement", AppState::kCancelled);
  // The replaced directory still exists elsewhere, so that its inode is not used again.
  fs::rename(dir("app-5"), top() + "/old");
  fs::rename(dir("replacement"), dir("app-5"));
  BOOST_TEST((listed_state("app-5") == AppState::kCancelled));
  fs::rename(dir("app-6"), dir("renamed"));  // same inode, other name
  damage("renamed");
  const auto ids = listed();
  BOOST_TEST(ids.count("app-6") + ids.count("renamed") == 0U);
}

BOOST_AUTO_TEST_CASE(damaged_index_is_ignored_and_replaced) {
  record_many();
  listed();
  const std::string good = slurp(index_file());
  for (std::size_t size = 0; size < good.size(); size += 97) {  // a sample, to save time
    write(index_file(), good.substr(0, size));
    BOOST_TEST(listed().size() == static_cast<std::size_t>(kMany));
    BOOST_TEST((slurp(index_file()) == good));
  }
  std::string bad = good;
  bad.back() = '!';
  write(index_file(), bad);
  BOOST_TEST(listed().size() == static_cast<std::size_t>(kMany));
  BOOST_TEST((slurp(index_file()) == good));
}

BOOST_AUTO_TEST_CASE(index_of_a_newer_version_is_not_replaced) {
  record_many();
  listed();
  constexpr std::size_t kVersionAt = 8;
  constexpr std::size_t kCrcAt = 12;  // of the checksum, which is made with zeros in its place
  std::string newer = slurp(index_file());
  newer[kVersionAt] = static_cast<char>(newer[kVersionAt] + 1);
  const std::uint32_t none = 0;
  std::memcpy(newer.data() + kCrcAt, &none, sizeof none);
  const std::uint32_t crc = crc32(newer);
  std::memcpy(newer.data() + kCrcAt, &crc, sizeof crc);
  write(index_file(), newer);
  BOOST_TEST(listed().size() == static_cast<std::size_t>(kMany));
  BOOST_TEST((slurp(index_file()) == newer));
}

BOOST_AUTO_TEST_CASE(record_that_cannot_be_read_is_listed_with_its_problem) {
  record("whole", AppState::kRunning);
  record("damaged", AppState::kRunning);
  damage("damaged");
  fs::create_directories(dir("no-record"));
  std::map<std::string, std::string> problems;
  for (const AppSummary& app : list_apps(root(), "local_cwd")) problems[app.app_id] = app.problem;
  BOOST_TEST(problems.size() == 2U);
  BOOST_TEST(problems["whole"].empty());
  BOOST_TEST(!problems["damaged"].empty());
}

BOOST_AUTO_TEST_CASE(links_fifos_and_directories_are_not_read_as_an_index) {
  record_many();
  listed();
  const std::string elsewhere = top() + "/elsewhere";
  fs::rename(index_file(), elsewhere);
  fs::create_symlink(elsewhere, index_file());
  damage("app-0");
  BOOST_TEST(listed().size() == static_cast<std::size_t>(kMany - 1));
  BOOST_TEST(!fs::is_symlink(index_file()));
  BOOST_TEST(FinishedIndex(slurp(elsewhere)).size() == static_cast<std::size_t>(kMany));
  fs::remove(index_file());
  BOOST_TEST_REQUIRE(::mkfifo(index_file().c_str(), 0600) == 0);
  BOOST_TEST(listed().size() == static_cast<std::size_t>(kMany - 1));
  BOOST_TEST(indexed() == static_cast<std::size_t>(kMany - 1));
  fs::remove(index_file());
  fs::create_directory(index_file());
  BOOST_TEST(listed().size() == static_cast<std::size_t>(kMany - 1));
  BOOST_TEST(!fs::exists(draft_file()));
}

BOOST_AUTO_TEST_CASE(file_too_large_for_an_index_is_replaced) {
  record_many();
  listed();
  // Makes an index of the same apps that is valid except for its size.
  const FinishedIndex right(slurp(index_file()));
  std::vector<ListedApp> apps;
  for (int i = 0; i < kMany; ++i) {
    const std::string app_id = "app-" + std::to_string(i);
    struct stat info {};
    BOOST_TEST_REQUIRE(::stat(dir(app_id).c_str(), &info) == 0);
    const auto app = right.find("sess", app_id, info.st_ino);
    BOOST_TEST_REQUIRE(app.has_value());
    apps.push_back(*app);
  }
  const std::string long_name(std::size_t{64} << 20U, 'n');
  apps.back().name = long_name;
  const std::string bytes = finished_index_bytes(apps);
  BOOST_TEST_REQUIRE(FinishedIndex(bytes).size() == apps.size());
  write(index_file(), bytes);
  // The listing opens the records, so it notices a damaged one.
  damage("app-0");
  BOOST_TEST(listed().size() == static_cast<std::size_t>(kMany - 1));
  BOOST_TEST(indexed() == static_cast<std::size_t>(kMany - 1));
}

BOOST_AUTO_TEST_CASE(apps_are_listed_where_no_index_can_be_written) {
  record_many();
  ::chmod(root().c_str(), 0500);
  BOOST_TEST(listed().size() == static_cast<std::size_t>(kMany));
  ::chmod(root().c_str(), 0700);
  fs::remove(index_file());  // the superuser may write in any directory
  fs::create_directory(draft_file());
  BOOST_TEST(listed().size() == static_cast<std::size_t>(kMany));
  BOOST_TEST(!fs::exists(index_file()));
}

BOOST_AUTO_TEST_CASE(draft_of_a_dead_writer_does_not_stop_the_next_one) {
  record_many();
  write(draft_file(), std::string(100'000, 'x'));
  listed();
  BOOST_TEST(indexed() == static_cast<std::size_t>(kMany));
  BOOST_TEST(!fs::exists(draft_file()));
}

BOOST_AUTO_TEST_CASE(second_writer_does_not_disturb_the_first) {
  record_many();
  OwnedFd draft(::open(draft_file().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  BOOST_TEST_REQUIRE(::flock(draft.get(), LOCK_EX | LOCK_NB) == 0);
  BOOST_TEST(listed().size() == static_cast<std::size_t>(kMany));
  BOOST_TEST(!fs::exists(index_file()));
  BOOST_TEST(fs::exists(draft_file()));
  draft.reset();
  listed();
  BOOST_TEST(indexed() == static_cast<std::size_t>(kMany));
}

BOOST_AUTO_TEST_CASE(concurrent_listings_are_complete) {
  record_many();
  std::vector<std::size_t> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t& count : wrong) {
    threads.emplace_back([this, &count] {
      for (int round = 0; round < 50; ++round) {
        if (round % 3 == 0) ::unlink(index_file().c_str());
        if (list_apps(root()).size() != static_cast<std::size_t>(kMany)) ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::size_t count : wrong) BOOST_TEST(count == 0U);
  listed();
  BOOST_TEST(indexed() == static_cast<std::size_t>(kMany));
  BOOST_TEST(!fs::exists(draft_file()));
}

BOOST_AUTO_TEST_CASE(state_root_that_is_not_a_directory_is_an_error) {
  BOOST_TEST(list_apps(top() + "/nothing").empty());
  write(top() + "/file", "x");
  BOOST_CHECK_EXCEPTION(list_apps(top() + "/file"), Error, [](const Error& error) {
    return error.code() == Code::kUnavailable && !error.hint().empty();
  });
}

BOOST_AUTO_TEST_CASE(listing_fails_if_the_root_or_a_session_cannot_be_opened) {
  record_many();
  // The limit refuses the root's descriptor, the second one of the root, or that of the session.
  for (const int more : {0, 1, 2}) {
    const DescriptorLimit limit(more);
    BOOST_CHECK_THROW(list_apps(root()), Error);
  }
  BOOST_TEST(listed().size() == static_cast<std::size_t>(kMany));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
