#include "core/runner/run_records.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace slipway {
namespace {

namespace fs = std::filesystem;

fs::path temporary_directory() {
  std::string name = fs::temp_directory_path() / "slipway-run-records-XXXXXX";
  BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
  return name;
}

struct Records {
  Records() { records.write({"s", "app-1"}, {}); }
  ~Records() { fs::remove_all(root); }
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;

  /// Makes a draft beside the record, as another process does. Returns its path.
  fs::path draft(const std::string& suffix) const {
    const fs::path path = root / "runs" / "local" / "s" / (".new-" + suffix);
    std::ofstream(path) << "draft";
    return path;
  }

  fs::path root = temporary_directory();
  RunRecords records{root, "local"};
};

BOOST_FIXTURE_TEST_SUITE(run_records, Records)

BOOST_AUTO_TEST_CASE(draft_of_a_process_with_the_same_pid_on_another_machine_stays) {
  const fs::path other = draft(std::to_string(::getpid()));
  records.write({"s", "app-2"}, {});
  BOOST_TEST(fs::exists(other));
  BOOST_TEST(records.read({"s", "app-2"}).has_value());
}

BOOST_AUTO_TEST_CASE(visit_of_old_records_removes_old_drafts) {
  const fs::path old = draft("old");
  const fs::path fresh = draft("fresh");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(25));
  records.visit_old([](const RunRecordName&) { BOOST_ERROR("there is no old record"); });
  BOOST_TEST(!fs::exists(old));
  BOOST_TEST(fs::exists(fresh));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
