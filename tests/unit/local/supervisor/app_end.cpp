// What the app's message says about `SUCCESS`, also if a successor repeats the end.
#include "plugins/local/supervisor/ending/app_end.hpp"

#include <fcntl.h>

#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>

#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

constexpr std::string_view kMissing = "SUCCESS is missing in the log directory: ";
constexpr std::string_view kNotOpened =
    "the directory could not be opened, or another user may have changed it";

/// The record of an app without processes, and its log directory.
struct EndingRecord : AppFixture {
  EndingRecord() : plan(small_plan("app-1", 1)) {
    plan.log_dir = top() + "/logs";
    record = new_directory("record");
    logs = new_directory("logs");
    create_state(record.get(), plan, 1);
  }

  OwnedFd new_directory(const std::string& name) const {
    const std::string path = top() + '/' + name;
    std::filesystem::create_directory(path);
    return OwnedFd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  /// Records the end as a new supervisor does; without `log_dir_fd`, as one that could not open the
  /// log directory. Gives the app the message `before` first, unless it is empty. Returns the app's
  /// message.
  std::string end(int log_dir_fd, const std::string& before = {}) const {
    AppFiles files(record.get(), log_dir_fd, plan);
    if (!before.empty()) files.set_message(before);
    record_app_end(files, /*role_failed=*/false);
    return std::string(files.state().message());
  }

  LaunchPlan plan;
  OwnedFd record;
  OwnedFd logs;
};

BOOST_FIXTURE_TEST_SUITE(LocalSupervisorAppEnd, EndingRecord)

BOOST_AUTO_TEST_CASE(message_does_not_call_a_distrusted_log_directory_missing) {
  BOOST_TEST(end(-1) == std::string(kMissing) + std::string(kNotOpened));
}

BOOST_AUTO_TEST_CASE(repeated_end_reports_the_missing_file_once) {
  const std::string first = end(-1, "w/0 failed");
  BOOST_TEST(first == "w/0 failed; " + std::string(kMissing) + std::string(kNotOpened));
  BOOST_TEST(end(-1) == first);
}

BOOST_AUTO_TEST_CASE(repeated_end_that_writes_the_file_reports_nothing_missing) {
  end(-1, "w/0 failed");
  BOOST_TEST(end(logs.get()) == "w/0 failed");
  BOOST_TEST(std::filesystem::exists(top() + "/logs/SUCCESS"));
}

BOOST_AUTO_TEST_CASE(long_message_leaves_room_for_the_report) {
  const std::string message = end(-1, std::string(2 * kMessageBytes, 'x'));
  BOOST_TEST(message.size() == kMessageBytes);
  BOOST_TEST(message.starts_with("xxx"));
  BOOST_TEST(message.ends_with(kNotOpened));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
