#include "plugins/local/logs/combined_merger.hpp"

#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "plugins/local/logs/line_cut.hpp"
#include "tests/unit/local/logs/fixture.hpp"

namespace {

using slipway::local::CombinedCursor;
using slipway::local::CombinedMerger;
using slipway::local::testing::kPatienceMs;
using slipway::local::testing::LogDirectory;
using slipway::local::testing::open_descriptors;
using slipway::local::testing::readable;

struct Fixture : LogDirectory {
  // Runs the merger until `done` is true. Returns false if it never is.
  bool serve(CombinedMerger& merger, const std::function<bool()>& done) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
    while (!done()) {
      if (std::chrono::steady_clock::now() > end) return false;
      if (readable(merger.event_fd(), 100)) merger.on_event();
    }
    return true;
  }
  // Runs the merger until nothing is left to do.
  void run_until_idle(CombinedMerger& merger) const {
    for (int turn = 0; turn < 1000 && readable(merger.event_fd(), 20); ++turn) merger.on_event();
  }
  std::string combined(std::string_view replica = "role/0") const {
    return read(std::string(replica) + "/combined.log");
  }
};

// Waits until the cursor has moved or the streams have nothing more.
void await_progress(CombinedCursor& cursor, std::uint64_t before) {
  const std::atomic_ref<std::uint64_t> offset(cursor.out_offset);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  while (offset == before && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

BOOST_FIXTURE_TEST_SUITE(CombinedLog, Fixture)

BOOST_AUTO_TEST_CASE(holds_the_lines_of_both_streams) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  make("role/0");
  merger.add(0, "role/0", &cursor);
  run_until_idle(merger);
  append("role/0/stdout.log", "one\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "one\n"; }));
  append("role/0/stderr.log", "two\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "one\ntwo\n"; }));
  run_until_idle(merger);
  append("role/0/stdout.log", "three\nfour\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "one\ntwo\nthree\nfour\n"; }));
  BOOST_TEST(cursor.out_offset == 15U);
  BOOST_TEST(cursor.err_offset == 4U);
  merger.finish(0);
  BOOST_TEST(merger.error() == "");
}

BOOST_AUTO_TEST_CASE(starts_with_the_stream_that_was_written_first) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  make("role/0");
  merger.add(0, "role/0", &cursor);
  run_until_idle(merger);
  append("role/0/stderr.log", "first\n");
  append("role/0/stdout.log", "second\n");
  run_until_idle(merger);
  BOOST_TEST(combined() == "first\nsecond\n");
}

BOOST_AUTO_TEST_CASE(a_partial_line_waits_for_its_end) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  make("role/0");
  merger.add(0, "role/0", &cursor);
  append("role/0/stdout.log", "half");
  append("role/0/stderr.log", "whole\n");
  run_until_idle(merger);
  BOOST_TEST(combined() == "whole\n");
  append("role/0/stdout.log", " a line\nrest");
  run_until_idle(merger);
  BOOST_TEST(combined() == "whole\nhalf a line\n");
  merger.finish(0);
  BOOST_TEST(combined() == "whole\nhalf a line\nrest");
}

BOOST_AUTO_TEST_CASE(binary_bytes_and_carriage_returns_are_untouched) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  const std::string bytes("10%\r20%\r\n\0\xff\xfe\n\n", 14);
  append("role/0/stdout.log", bytes);
  merger.add(0, "role/0", &cursor);
  merger.finish(0);
  BOOST_TEST(combined() == bytes);
}

BOOST_AUTO_TEST_CASE(a_long_line_passes_in_pieces) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  make("role/0");
  merger.add(0, "role/0", &cursor);
  const std::string piece(slipway::local::kLongLine, 'x');
  append("role/0/stdout.log", piece);
  BOOST_TEST(serve(merger, [&] { return cursor.out_offset == piece.size(); }));
  append("role/0/stdout.log", "end");
  run_until_idle(merger);
  BOOST_TEST(combined().size() == piece.size());
  merger.finish(0);
  BOOST_TEST(combined() == piece + "end");
}

// Opens the file again and truncates it, as a shell does for `> /dev/stdout`.
void rewrite(const std::string& path, std::string_view bytes) {
  const slipway::OwnedFd file(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  BOOST_TEST_REQUIRE(::write(file.get(), bytes.data(), bytes.size()) ==
                     static_cast<ssize_t>(bytes.size()));
}

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

BOOST_AUTO_TEST_CASE(longer_file_with_other_bytes_was_truncated) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  append("role/0/stderr.log", "step 9\n");
  merger.add(0, "role/0", &cursor);
  BOOST_TEST(serve(merger, [&] { return combined() == "step 9\n"; }));
  rewrite(path("role/0/stderr.log"), "step 10 and more\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "step 9\nstep 10 and more\n"; }));
}

BOOST_AUTO_TEST_CASE(short_file_that_grows_all_the_time_is_not_truncated) {
  // A write changes the time of the file before its size. The copier looks at a file without pause,
  // so that many looks fall between the two.
  make("role");
  for (int round = 0; round < 40; ++round) {
    const std::string directory = "role/" + std::to_string(round);
    const std::string slash = directory + "/";
    append(slash + "stdout.log", "");
    CombinedCursor cursor{};
    slipway::local::CombinedCopier copier(fd.get(), {});
    const slipway::local::CopyJob job{0, {&slash}, &cursor};
    std::atomic<bool> done = false;
    std::thread writer([&] {
      const slipway::OwnedFd file(
          ::open(path(slash + "stdout.log").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
      for (int line = 0; line < 500; ++line) {
        const auto next = std::chrono::steady_clock::now() + std::chrono::microseconds(line % 40);
        while (std::chrono::steady_clock::now() < next) continue;
        if (::write(file.get(), "a line\n", 7) != 7) break;
      }
      done = true;
    });
    while (!done) copier.copy_lines(job, copier.sizes(job), 1 << 20, false);
    writer.join();
    copier.copy_all(job, copier.sizes(job), false);
    BOOST_TEST_REQUIRE(copier.error() == "");
    BOOST_TEST_REQUIRE(combined(directory).size() == 500U * 7);
  }
}

BOOST_AUTO_TEST_CASE(successor_knows_what_was_cut_before) {
  CombinedCursor cursor{};
  append("role/0/stdout.log", "a first line\n");
  append("role/0/stderr.log", "e\n");
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

BOOST_AUTO_TEST_CASE(file_that_is_moved_away_is_not_truncated) {
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

BOOST_AUTO_TEST_CASE(hole_stays_a_hole) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  append("role/0/stdout.log", "one\n");
  constexpr off_t kSize = off_t{1} << 40;
  BOOST_TEST_REQUIRE(::truncate(path("role/0/stdout.log").c_str(), kSize) == 0);
  append("role/0/stdout.log", "two\n");
  merger.add(0, "role/0", &cursor);
  merger.finish(0);
  struct stat status {};
  BOOST_TEST_REQUIRE(::stat(path("role/0/combined.log").c_str(), &status) == 0);
  BOOST_TEST(status.st_size == kSize + 4);
  BOOST_TEST(status.st_blocks * 512 < (1 << 20));
  BOOST_TEST(merger.error() == "");
}

BOOST_AUTO_TEST_CASE(a_replica_that_wrote_nothing_leaves_no_file) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  append("role/0/stdout.log", "");
  append("role/0/stderr.log", "");
  merger.add(0, "role/0", &cursor);
  merger.add(1, "never_made/1", &cursor);
  merger.finish(0);
  merger.finish(1);
  merger.finish(1);
  merger.finish(77);
  BOOST_TEST(!exists("role/0/combined.log"));
  BOOST_TEST(!exists("never_made"));
  BOOST_TEST(merger.error() == "");
}

BOOST_AUTO_TEST_CASE(nothing_written_means_no_wake_up) {
  std::deque<CombinedCursor> cursors(100);
  CombinedMerger merger(fd.get());
  for (std::uint32_t i = 0; i < 100; ++i) {
    make("role/" + std::to_string(i));
    merger.add(i, "role/" + std::to_string(i), &cursors[i]);
  }
  append("role/5/stdout.log", "line\npartial");
  run_until_idle(merger);
  BOOST_TEST(combined("role/5") == "line\n");
  BOOST_TEST(!readable(merger.event_fd(), 300));
}

// The front of a write that crosses pages is in the file before its end.
BOOST_AUTO_TEST_CASE(splits_no_line_of_a_process_that_writes_after_the_end) {
  constexpr int kLines = 3000;
  make("role/0");
  const auto write_lines = [this](const char* name, char letter) {
    std::ofstream file(path(std::string("role/0/") + name), std::ios::app | std::ios::binary);
    const std::string line = std::string(9000, letter) + '\n';
    file.rdbuf()->pubsetbuf(nullptr, 0);
    for (int i = 0; i < kLines; ++i)
      file.write(line.data(), static_cast<std::streamsize>(line.size()));
  };
  std::atomic<int> writers{2};
  std::thread out([&] { write_lines("stdout.log", 'o'), --writers; });
  std::thread err([&] { write_lines("stderr.log", 'e'), --writers; });
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  do {
    merger.add(0, "role/0", &cursor);
    merger.finish(0);
  } while (writers > 0);
  out.join();
  err.join();
  merger.add(0, "role/0", &cursor);
  merger.finish(0);
  int whole = 0;
  for (const std::string& line : lines_of(combined())) {
    const bool one_kind = line.find_first_not_of(line.empty() ? ' ' : line[0]) == std::string::npos;
    if (line.size() == 9000 && one_kind) ++whole;
  }
  BOOST_TEST(whole == 2 * kLines);
}

BOOST_AUTO_TEST_CASE(reports_only_if_it_is_certain_that_no_error_file_exists) {
  constexpr std::uint32_t kReplicas = 6;
  std::deque<CombinedCursor> cursors(kReplicas);
  CombinedMerger merger(fd.get());
  const auto place = [](std::uint32_t i) { return "role/" + std::to_string(i); };
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    make(place(i));
    if (i == 1) append(place(i) + "/error.json", "{}");
    merger.add(i, place(i), &cursors[i]);
  }
  run_until_idle(merger);
  append(place(2) + "/error.json", "{}");
  append(place(3) + "/error.tmp", "{}");
  std::filesystem::rename(path(place(3) + "/error.tmp"), path(place(3) + "/error.json"));
  std::filesystem::rename(path(place(4)), path("elsewhere"));
  make(place(4));
  append(place(4) + "/error.json", "{}");
  for (std::uint32_t i = 0; i < kReplicas; ++i)
    BOOST_TEST(merger.finish(i) == (i == 0 || i == 5), "replica " << i);
  BOOST_TEST(!merger.finish(0));
  // The merger has not looked at this replica yet.
  merger.add(0, place(0), &cursors[0]);
  BOOST_TEST(!merger.finish(0));
}

BOOST_AUTO_TEST_CASE(ending_app_leaves_its_watches_to_the_kernel) {
  std::deque<CombinedCursor> cursors(2);
  CombinedMerger merger(fd.get());
  make("role/0");
  make("role/1");
  merger.add(0, "role/0", &cursors[0]);
  merger.add(1, "role/1", &cursors[1]);
  run_until_idle(merger);
  merger.expect_ends();
  merger.finish(0);
  append("role/0/stdout.log", "too late\n");
  append("role/1/stdout.log", "in time\n");
  BOOST_TEST(serve(merger, [&] { return combined("role/1") == "in time\n"; }));
  merger.finish_all();
  BOOST_TEST(!exists("role/0/combined.log"));
}

BOOST_AUTO_TEST_CASE(later_directory_is_noticed) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  merger.add(0, "late/0", &cursor);
  run_until_idle(merger);
  append("late/0/stdout.log", "here\n");
  BOOST_TEST(serve(merger, [&] { return combined("late/0") == "here\n"; }));
  run_until_idle(merger);
  append("late/0/stdout.log", "again\n");
  BOOST_TEST(serve(merger, [&] { return combined("late/0") == "here\nagain\n"; }));
  run_until_idle(merger);
  BOOST_TEST(!readable(merger.event_fd(), 300));
}

BOOST_AUTO_TEST_CASE(directories_of_every_shape_are_found) {
  const std::vector<std::string> shapes = {"role/0",   "role/00",         "role/x",          "flat",
                                           "a/b/c/12", "role/4294967295", "role/99999999999"};
  std::deque<CombinedCursor> cursors(shapes.size());
  CombinedMerger merger(fd.get());
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    append(shapes[i] + "/stdout.log", shapes[i] + "\n");
    merger.add(i, shapes[i], &cursors[i]);
  }
  merger.finish_all();
  for (const std::string& shape : shapes) BOOST_TEST(combined(shape) == shape + "\n");
}

BOOST_AUTO_TEST_CASE(next_supervisor_continues_at_the_same_byte) {
  CombinedCursor cursor{};
  append("role/0/stdout.log", "one\ntw");
  {
    CombinedMerger killed(fd.get());
    killed.add(0, "role/0", &cursor);
    run_until_idle(killed);
  }
  append("role/0/stdout.log", "o\n");
  append("role/0/stderr.log", "three\n");
  CombinedMerger merger(fd.get());
  merger.add(0, "role/0", &cursor);
  run_until_idle(merger);
  BOOST_TEST(combined() == "one\ntwo\nthree\n");
}

BOOST_AUTO_TEST_CASE(bytes_beyond_the_cursor_are_cut_after_a_crash) {
  append("role/0/stdout.log", "one\ntwo");
  // The first merger is killed after a write and before the cursor moves, or during the write.
  append("role/0/combined.log", "one\nerr\nhalf of");
  CombinedCursor cursor{4, 0};
  CombinedMerger merger(fd.get());
  merger.add(0, "role/0", &cursor);
  run_until_idle(merger);
  BOOST_TEST(combined() == "one\n");
  append("role/0/stderr.log", "err\n");
  merger.finish(0);
  BOOST_TEST(combined() == "one\nerr\ntwo");
}

BOOST_AUTO_TEST_CASE(bytes_beyond_the_cursor_are_cut_when_the_replica_ends_at_once) {
  append("role/0/stdout.log", "one\n");
  append("role/0/combined.log", "one\ntwo\nthree\n");
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  merger.add(0, "role/0", &cursor);
  merger.finish(0);
  BOOST_TEST(combined() == "one\n");
}

BOOST_AUTO_TEST_CASE(lost_combined_log_is_made_again) {
  append("role/0/stdout.log", "one\n");
  append("role/0/stderr.log", "err\n");
  append("role/0/combined.log", "err\n");
  CombinedCursor cursor{4, 4};
  CombinedMerger merger(fd.get());
  merger.add(0, "role/0", &cursor);
  merger.finish(0);
  BOOST_TEST(combined() == "one\nerr\n");
  BOOST_TEST(cursor.out_offset == 4U);
}

BOOST_AUTO_TEST_CASE(second_attempt_continues_in_the_same_files) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  append("role/0/stdout.log", "first\n");
  merger.add(0, "role/0", &cursor);
  merger.finish(0);
  append("role/0/stdout.log", "second\n");
  merger.add(0, "role/0", &cursor);
  run_until_idle(merger);
  merger.add(0, "role/0", &cursor);
  append("role/0/stderr.log", "third\n");
  run_until_idle(merger);
  BOOST_TEST(combined() == "first\nsecond\nthird\n");
}

BOOST_AUTO_TEST_CASE(time_that_a_killed_process_changed_is_no_truncation) {
  // A signal ends a process in write() after the kernel changed the file's time and before it wrote
  // a byte. The same look at a living replica means that it wrote the same message again.
  const auto change_time = [&] {
    const timespec times[2] = {{0, UTIME_OMIT}, {1'700'000'000, 0}};
    BOOST_TEST(::utimensat(fd.get(), "role/0/stdout.log", times, 0) == 0);
  };
  for (const bool stops_all : {false, true}) {
    CombinedCursor cursor{};
    CombinedMerger merger(fd.get());
    std::filesystem::remove_all(root / "role/0");
    append("role/0/stdout.log", "one\n");
    merger.add(0, "role/0", &cursor);
    run_until_idle(merger);
    if (stops_all) merger.expect_ends();
    change_time();
    if (stops_all) run_until_idle(merger);
    merger.finish(0, !stops_all);
    BOOST_TEST(combined() == "one\n");
    BOOST_TEST(merger.error() == "");
  }
}

BOOST_AUTO_TEST_CASE(failing_log_disk_stops_nothing_and_is_tried_again) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  append("role/0/stdout.log", "one\n");
  make("role/0/combined.log");
  merger.add(0, "role/0", &cursor);
  run_until_idle(merger);
  BOOST_TEST(cursor.out_offset == 0U);
  BOOST_TEST(merger.error().find("role/0/combined.log") != std::string::npos);
  BOOST_TEST(!readable(merger.event_fd(), 200));
  std::filesystem::remove(root / "role/0/combined.log");
  append("role/0/stdout.log", "two\n");
  run_until_idle(merger);
  BOOST_TEST(combined() == "one\ntwo\n");
}

BOOST_AUTO_TEST_CASE(a_full_log_disk_leaves_no_half_line) {
  // A limit on the size of files acts like a full disk: a short write, then an error.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  append("role/0/stdout.log", "0123456789\n0123456789\n");
  const rlimit tight{15, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &tight);
  merger.add(0, "role/0", &cursor);
  run_until_idle(merger);
  const std::string during = combined();
  const std::string error = merger.error();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  BOOST_TEST(during == "");
  BOOST_TEST(cursor.out_offset == 0U);
  BOOST_TEST(error != "");
  merger.finish(0);
  BOOST_TEST(combined() == "0123456789\n0123456789\n");
}

BOOST_AUTO_TEST_CASE(works_without_inotify) {
  // Takes all instances of this user, so that the merger gets none.
  std::vector<slipway::OwnedFd> hoard;
  while (hoard.size() < 5000) {
    slipway::OwnedFd instance(::inotify_init1(IN_CLOEXEC));
    if (!instance) break;
    hoard.push_back(std::move(instance));
  }
  if (hoard.size() == 5000) return;
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  merger.add(0, "role/0", &cursor);
  append("role/0/stdout.log", "one\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "one\n"; }));
  append("role/0/stderr.log", "two\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "one\ntwo\n"; }));
  // The merger uses watches again, and is idle, as soon as it gets an instance.
  hoard.clear();
  BOOST_TEST(serve(merger, [&] { return !readable(merger.event_fd(), 250); }));
  append("role/0/stdout.log", "three\n");
  BOOST_TEST(serve(merger, [&] { return combined() == "one\ntwo\nthree\n"; }));
}

BOOST_AUTO_TEST_CASE(needs_few_descriptors_for_many_replicas) {
  constexpr std::uint32_t kReplicas = 500;
  std::deque<CombinedCursor> cursors(kReplicas);
  const std::size_t before = open_descriptors();
  CombinedMerger merger(fd.get());
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    const std::string directory = "role/" + std::to_string(i);
    append(directory + "/stdout.log", directory + "\n");
    merger.add(i, directory, &cursors[i]);
  }
  run_until_idle(merger);
  BOOST_TEST(open_descriptors() - before <= 3U);
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    const std::string directory = "role/" + std::to_string(i);
    BOOST_TEST_REQUIRE(combined(directory) == directory + "\n");
  }
}

BOOST_AUTO_TEST_CASE(loses_no_line_of_concurrent_writers) {
  constexpr std::uint32_t kReplicas = 20;
  constexpr int kLines = 3000;
  std::deque<CombinedCursor> cursors(kReplicas);
  CombinedMerger merger(fd.get());
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    make("role/" + std::to_string(i));
    merger.add(i, "role/" + std::to_string(i), &cursors[i]);
  }
  std::vector<pid_t> writers;
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    const pid_t writer = ::fork();
    if (writer == 0) {
      const std::string base = path("role/" + std::to_string(i));
      const int out =
          ::open((base + "/stdout.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
      const int err =
          ::open((base + "/stderr.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
      for (int line = 0; line < kLines; ++line) {
        const std::string text = (line % 3 == 0 ? "E " : "O ") + std::to_string(line) + "\n";
        // Writes in two halves, so that the merger finds partial lines.
        const int to = line % 3 == 0 ? err : out;
        if (::write(to, text.data(), 3) < 0) ::_exit(1);
        if (::write(to, text.data() + 3, text.size() - 3) < 0) ::_exit(1);
      }
      ::_exit(0);
    }
    writers.push_back(writer);
  }
  std::size_t ended = 0;
  const bool all_ended = serve(merger, [&] {
    while (ended < writers.size() && ::waitpid(writers[ended], nullptr, WNOHANG) > 0) {
      merger.finish(static_cast<std::uint32_t>(ended++));
    }
    return ended == writers.size();
  });
  BOOST_TEST_REQUIRE(all_ended);
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    const std::string replica = "role/" + std::to_string(i);
    const std::string text = combined(replica);
    BOOST_TEST_REQUIRE(text.size() == cursors[i].out_offset + cursors[i].err_offset);
    std::string out, err;
    for (const std::string& line : lines_of(text)) (line[0] == 'E' ? err : out) += line + "\n";
    BOOST_TEST_REQUIRE((out == read(replica + "/stdout.log")));
    BOOST_TEST_REQUIRE((err == read(replica + "/stderr.log")));
  }
}

BOOST_AUTO_TEST_CASE(many_files_leave_time_for_other_events) {
  // Adds all at once, as after a take-over.
  constexpr std::uint32_t kReplicas = 2000;
  std::deque<CombinedCursor> cursors(kReplicas);
  CombinedMerger merger(fd.get());
  for (std::uint32_t i = 0; i < kReplicas; ++i) {
    make("role/" + std::to_string(i));
    merger.add(i, "role/" + std::to_string(i), &cursors[i]);
  }
  int events = 0;
  while (readable(merger.event_fd(), 100)) {
    merger.on_event();
    ++events;
  }
  BOOST_TEST(events >= 5);
  append("role/1999/stdout.log", "x\n");
  BOOST_TEST(serve(merger, [&] { return combined("role/1999") == "x\n"; }));
}

BOOST_AUTO_TEST_CASE(survives_being_killed_at_any_instant) {
  constexpr int kLines = 60'000;
  void* const shared = ::mmap(nullptr, sizeof(CombinedCursor), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  BOOST_TEST_REQUIRE(shared != MAP_FAILED);
  auto* const cursor = new (shared) CombinedCursor{};
  make("role/0");
  const pid_t writer = ::fork();
  if (writer == 0) {
    const int out =
        ::open(path("role/0/stdout.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    const int err =
        ::open(path("role/0/stderr.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    for (int line = 0; line < kLines; ++line) {
      const std::string text = (line % 3 == 0 ? "E " : "O ") + std::to_string(line) + "\n";
      if (::write(line % 3 == 0 ? err : out, text.data(), text.size()) < 0) ::_exit(1);
    }
    ::_exit(0);
  }
  std::size_t over = 0;
  std::size_t kills = 0;
  while (::waitpid(writer, nullptr, WNOHANG) == 0) {
    const pid_t supervisor = ::fork();
    if (supervisor == 0) {
      CombinedMerger merger(fd.get());
      merger.add(0, "role/0", cursor);
      while (readable(merger.event_fd(), kPatienceMs)) merger.on_event();
      ::_exit(1);
    }
    // The child lives until it has copied something more.
    const std::uint64_t before = cursor->out_offset;
    await_progress(*cursor, before);
    ::kill(supervisor, SIGKILL);
    ++kills;
    ::waitpid(supervisor, nullptr, 0);
    const std::uint64_t size = exists("role/0/combined.log")
                                   ? std::filesystem::file_size(root / "role/0/combined.log")
                                   : 0;
    BOOST_TEST_REQUIRE(size >= cursor->out_offset + cursor->err_offset);
    over += size > cursor->out_offset + cursor->err_offset;
  }
  BOOST_TEST_MESSAGE(kills << " kills, between a write and its store: " << over);
  CombinedMerger merger(fd.get());
  merger.add(0, "role/0", cursor);
  merger.finish(0);
  const std::string text = combined();
  BOOST_TEST(text.size() == cursor->out_offset + cursor->err_offset);
  std::string out, err;
  for (const std::string& line : lines_of(text)) (line[0] == 'E' ? err : out) += line + "\n";
  BOOST_TEST((out == read("role/0/stdout.log")));
  BOOST_TEST((err == read("role/0/stderr.log")));
  ::munmap(shared, sizeof(CombinedCursor));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
