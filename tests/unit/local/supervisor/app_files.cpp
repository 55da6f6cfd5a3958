// Changes of the state file, also while another process damages it.
#include "plugins/local/supervisor/record/app_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>

#include "plugins/local/engine/record_check.hpp"
#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

constexpr std::int32_t kExit7 = 7 << 8;  // the status of waitpid()

/// A record of two replicas that have no processes; the entry of the first says RUNNING.
struct EditedRecord : AppFixture {
  EditedRecord() : plan(small_plan("app-1", 2)), dir(open_new_record()) {
    files.emplace(dir.get(), /*log_dir_fd=*/-1, plan);
    files->edit(0).head.word.store(make_word(RecordState::kRunning, 1, 1000));
    files->changed(0);
  }

  OwnedFd open_new_record() const {
    const std::string path = top() + "/record";
    std::filesystem::create_directory(path);
    OwnedFd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    create_state(fd.get(), plan, 1);
    return fd;
  }
  std::string state_path() const { return top() + "/record/state.bin"; }
  void truncate_state() const { BOOST_TEST_REQUIRE(::truncate(state_path().c_str(), 0) == 0); }
  /// Overwrites the head of the first replica's entry with zeros.
  void zero_head() {
    const auto at = static_cast<off_t>(files->state().header().fixed.entries_offset);
    const std::string zeros(sizeof(ReplicaHead), '\0');
    const OwnedFd fd(::open(state_path().c_str(), O_WRONLY | O_CLOEXEC));
    BOOST_TEST_REQUIRE(::pwrite(fd.get(), zeros.data(), zeros.size(), at) ==
                       static_cast<ssize_t>(zeros.size()));
  }
  /// Records that the first replica exited with 7. Calls `in_the_middle` during the change.
  void record_end(const std::function<void()>& in_the_middle) {
    files->edit(0).head.wait_status.store(kExit7);
    files->edit(0).head.flags.store(kHasWaitStatus);
    in_the_middle();
    files->edit(0).head.word.store(make_word(RecordState::kFailed, 1, 1000));
    files->changed(0);
    files->repair(StateDepth::kAll);
  }
  /// Checks what a successor finds.
  void check_end() {
    files.reset();
    StateStore found(dir.get());
    const ReplicaHead& head = found.head(0);
    BOOST_TEST(head.word.load() == make_word(RecordState::kFailed, 1, 1000));
    BOOST_TEST(head.wait_status.load() == kExit7);
    BOOST_TEST(head.flags.load() == kHasWaitStatus);
    BOOST_TEST(head.check.load() != kBeingChanged);
  }

  LaunchPlan plan;
  OwnedFd dir;
  std::optional<AppFiles> files;
};

BOOST_FIXTURE_TEST_SUITE(LocalSupervisorAppFiles, EditedRecord)

BOOST_AUTO_TEST_CASE(end_is_recorded_although_the_state_is_truncated_meanwhile) {
  record_end([this] { truncate_state(); });
  check_end();
}

BOOST_AUTO_TEST_CASE(end_is_recorded_although_its_entry_is_overwritten_meanwhile) {
  record_end([this] { zero_head(); });
  check_end();
}

BOOST_AUTO_TEST_CASE(damage_in_a_file_that_was_renamed_is_repaired_in_the_new_file) {
  zero_head();
  std::filesystem::rename(state_path(), state_path() + ".old");
  files->repair(StateDepth::kAll);
  files.reset();
  StateStore found(dir.get());
  BOOST_TEST(found.head(0).word.load() == make_word(RecordState::kRunning, 1, 1000));
}

BOOST_AUTO_TEST_CASE(start_that_a_child_has_recorded_survives_a_truncation) {
  files->edit(1).head.word.store(make_word(RecordState::kStarting, 1, 10));
  files->promise(1);
  // The child of the supervisor records itself that it runs.
  files->in_file(1).head.word.store(make_word(RecordState::kRunning, 1, 2000));
  files->edit(1).tail.window_to_ns.store(5);
  truncate_state();
  files->edit(1).head.word.store(make_word(RecordState::kRunning, 1, 2000));
  files->changed(1);
  files->repair(StateDepth::kSize);
  files.reset();
  StateStore found(dir.get());
  BOOST_TEST(found.head(1).word.load() == make_word(RecordState::kRunning, 1, 2000));
  BOOST_TEST(found.tail(1).window_to_ns.load() == 5);
}

BOOST_AUTO_TEST_CASE(change_of_the_header_survives_a_truncation) {
  StateHeader& header = files->edit_header();
  header.stop_cause.store(static_cast<std::uint32_t>(StopCause::kFailFast));
  truncate_state();
  files->set_message("w/0 failed");
  files->changed();
  files->repair(StateDepth::kSize);
  files.reset();
  StateStore found(dir.get());
  BOOST_TEST((found.stop_cause() == StopCause::kFailFast));
  BOOST_TEST(std::string(found.header().message, found.header().message_length.load()) ==
             "w/0 failed");
}

BOOST_AUTO_TEST_CASE(unfinished_change_is_not_in_the_file) {
  files->edit(0).head.wait_status.store(kExit7);
  files->edit_header().stop_cause.store(static_cast<std::uint32_t>(StopCause::kCancel));
  // Throws if the file has a part of the change, because its check does not match then.
  StateStore found(dir.get());
  BOOST_TEST(found.head(0).wait_status.load() == 0);
  BOOST_TEST((found.stop_cause() == StopCause::kNone));
  files->save(0);
  files->save_header();
  BOOST_TEST(found.head(0).wait_status.load() == kExit7);
  BOOST_TEST((found.stop_cause() == StopCause::kCancel));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
