#include "plugins/local/logs/stream_cuts.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>

#include "plugins/local/logs/combined_copier.hpp"
#include "slipway/owned_fd.hpp"
#include "tests/unit/local/logs/merger_fixture.hpp"

namespace slipway::local {
namespace {

// Opens the file again and truncates it, as a shell does for `> /dev/stdout`.
void rewrite(const std::string& path, std::string_view bytes) {
  const OwnedFd file(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  BOOST_TEST_REQUIRE(::write(file.get(), bytes.data(), bytes.size()) ==
                     static_cast<ssize_t>(bytes.size()));
}

struct TruncatedStreamsFixture : testing::MergerFixture {
  /// Begins again with one line of stdout, which the merger has copied.
  void merge_one_line(CombinedMerger& merger, CombinedCursor& cursor) const {
    std::filesystem::remove_all(root / "role/0");
    append("role/0/stdout.log", "one\n");
    merger.add(0, "role/0", &cursor);
    run_until_idle(merger);
  }
};

BOOST_FIXTURE_TEST_SUITE(TruncatedStreams, TruncatedStreamsFixture)

BOOST_AUTO_TEST_CASE(truncated_file_continues_behind_the_copied_bytes) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  make("role/0");
  merger.add(0, "role/0", &cursor);
  append("role/0/stdout.log", "a first line\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "a first line\n"; }));
  // A shorter file, one of the same length with other bytes, and one with the same bytes.
  std::string all = "a first line\n";
  for (const char* text : {"short\n", "other\n", "other\n"}) {
    // Two changes within one tick of the kernel's clock have the same time.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    rewrite(path("role/0/stdout.log"), text);
    all += text;
    BOOST_TEST(serve(merger, [&] { return combined() == all; }), text);
  }
  append("role/0/stdout.log", "end\n");
  merger.finish(0);
  BOOST_TEST(combined() == all + "end\n");
  BOOST_TEST(cursor.out_offset == all.size() + 4);
  BOOST_TEST(merger.error().find("role/0/stdout.log was truncated") == 0U);
}

BOOST_AUTO_TEST_CASE(longer_file_with_other_bytes_counts_as_truncated) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  append("role/0/stderr.log", "step 9\n");
  merger.add(0, "role/0", &cursor);
  BOOST_TEST(serve(merger, [&] { return combined() == "step 9\n"; }));
  rewrite(path("role/0/stderr.log"), "step 10 and more\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "step 9\nstep 10 and more\n"; }));
}

BOOST_AUTO_TEST_CASE(short_file_that_grows_all_the_time_does_not_count_as_truncated) {
  // A write changes the time of the file before its size. The copier looks at a file without pause,
  // so that many looks fall between the two. It heeds the times of files of at most 4096 bytes.
  make("role");
  for (int round = 0; round < 40; ++round) {
    const std::string directory = "role/" + std::to_string(round);
    const std::string slash = directory + "/";
    append(slash + "stdout.log", "");
    CombinedCursor cursor{};
    CombinedCopier copier(fd.get(), {});
    const CopyJob job{0, {&slash}, &cursor};
    std::atomic<bool> done = false;
    std::thread writer([&] {
      const OwnedFd file(
          ::open(path(slash + "stdout.log").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
      for (int line = 0; line < 500; ++line) {
        const auto next = std::chrono::steady_clock::now() + std::chrono::microseconds(line % 40);
        while (std::chrono::steady_clock::now() < next) continue;
        if (::write(file.get(), "a line\n", 7) != 7) break;
      }
      done = true;
    });
    while (!done) copier.copy_lines(job, copier.sizes(job), 1 << 20, /*stderr_first=*/false);
    writer.join();
    copier.copy_all(job, copier.sizes(job), /*stderr_first=*/false);
    BOOST_TEST_REQUIRE(copier.error() == "");
    BOOST_TEST_REQUIRE(combined(directory).size() == 500U * 7);
  }
}

BOOST_AUTO_TEST_CASE(successor_knows_what_was_cut_before) {
  CombinedCursor cursor{};
  append("role/0/stdout.log", "a first line\n");
  append("role/0/stderr.log", "e\n");  // not cut: the cuts of each stream are counted apart
  {
    CombinedMerger merger(fd.get());
    merger.add(0, "role/0", &cursor);
    BOOST_TEST(serve(merger, [&] { return cursor.out_offset == 13U; }));
    rewrite(path("role/0/stdout.log"), "two\n");
    BOOST_TEST(serve(merger, [&] { return cursor.out_offset == 17U; }));
  }
  append("role/0/stdout.log", "three\n");
  CombinedMerger successor(fd.get());
  successor.add(0, "role/0", &cursor);
  successor.finish(0);
  BOOST_TEST(combined() == "a first line\ne\ntwo\nthree\n");
}

BOOST_AUTO_TEST_CASE(cut_that_cannot_be_recorded_is_reported) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  merge_one_line(merger, cursor);
  make("role/0/cuts.bin");  // a directory, which cannot be opened for writing
  rewrite(path("role/0/stdout.log"), "another line\n");
  merger.finish(0);
  BOOST_TEST(combined() == "one\nanother line\n");
  BOOST_TEST(merger.error().find("cannot write role/0/cuts.bin") == 0U, merger.error());
}

BOOST_AUTO_TEST_CASE(file_that_is_moved_away_does_not_count_as_truncated) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  append("role/0/stdout.log", "one\n");
  merger.add(0, "role/0", &cursor);
  BOOST_TEST(serve(merger, [&] { return combined() == "one\n"; }));
  std::filesystem::rename(path("role/0/stdout.log"), path("role/0/moved"));
  run_until_idle(merger);
  std::filesystem::rename(path("role/0/moved"), path("role/0/stdout.log"));
  append("role/0/stdout.log", "two\n");
  merger.finish(0);
  BOOST_TEST(combined() == "one\ntwo\n");
  BOOST_TEST(merger.error() == "");
}

// Changes the time of the log file and none of its bytes. This happens if a signal ends a process
// in write(). For a replica that still runs, it means that the replica wrote the same text again.
void change_time(int root_fd) {
  const timespec times[2] = {{0, UTIME_OMIT}, {1'700'000'000, 0}};
  BOOST_TEST(::utimensat(root_fd, "role/0/stdout.log", times, 0) == 0);
}

BOOST_AUTO_TEST_CASE(time_that_a_killed_process_changed_does_not_count_as_a_truncation) {
  for (const bool stops_all : {false, true}) {
    CombinedCursor cursor{};
    CombinedMerger merger(fd.get());
    merge_one_line(merger, cursor);
    if (stops_all) merger.expect_ends();
    change_time(fd.get());
    if (stops_all) run_until_idle(merger);
    // With expect_ends() the merger expects a signal anyway.
    merger.finish(0, /*by_signal=*/!stops_all);
    BOOST_TEST(combined() == "one\n");
    BOOST_TEST(merger.error() == "");
  }
}

BOOST_AUTO_TEST_CASE(time_that_changed_after_an_attempt_does_not_count_as_a_truncation) {
  // Processes that a replica left running are killed after its end, perhaps in write(). Then the
  // replica is retried, or the supervisor completes the logs at the end of the app.
  for (const bool is_retried : {false, true}) {
    CombinedCursor cursor{};
    CombinedMerger merger(fd.get());
    merge_one_line(merger, cursor);
    merger.finish(0);
    change_time(fd.get());
    merger.add(0, "role/0", &cursor);
    if (is_retried) run_until_idle(merger);
    merger.finish(0);
    BOOST_TEST(combined() == "one\n");
    BOOST_TEST(merger.error() == "");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
