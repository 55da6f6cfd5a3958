#include "plugins/local/logs/combined_copier.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <new>
#include <string>
#include <thread>

#include "plugins/local/logs/line_times.hpp"
#include "plugins/local/logs/time_marks.hpp"
#include "tests/unit/file_size_limit.hpp"
#include "tests/unit/local/logs/merger_fixture.hpp"

namespace slipway::local {
namespace {

using testing::kPatienceMs;
using testing::lines_of;
using testing::readable;

// Waits until the cursor of stdout has left `before`, but at most 20 ms.
void await_progress(CombinedCursor& cursor, std::uint64_t before) {
  const std::atomic_ref<std::uint64_t> offset(cursor.out_offset);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  while (offset == before && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

BOOST_FIXTURE_TEST_SUITE(CombinedCopies, testing::MergerFixture)

BOOST_AUTO_TEST_CASE(binary_bytes_and_carriage_returns_are_untouched) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  const std::string bytes("10%\r20%\r\n\0\xff\xfe\n\n", 14);
  append("role/0/stdout.log", bytes);
  merger.add(0, "role/0", &cursor);
  merger.finish(0);
  BOOST_TEST(combined() == bytes);
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

BOOST_AUTO_TEST_CASE(file_that_ends_with_a_hole_does_not_count_as_truncated) {
  struct Case {
    std::size_t bytes;  // before the hole
    std::size_t hole;
  };
  for (const auto [bytes, hole] : {Case{4096, 1 << 18}, Case{4096, 10}, Case{0, 10}}) {
    CombinedCursor cursor{};
    CombinedCopier copier(fd.get(), {});
    const std::string slash = "role/" + std::to_string(bytes + hole) + '/';
    const CopyJob job{0, {&slash}, &cursor};
    append(slash + "stdout.log", bytes > 0 ? std::string(bytes - 1, 'x') + '\n' : "");
    const std::string name = path(slash + "stdout.log");
    BOOST_TEST_REQUIRE(::truncate(name.c_str(), static_cast<off_t>(bytes + hole)) == 0);
    // The copier compares the bytes of a file whose time is not in the past.
    const timespec times[2] = {{0, UTIME_OMIT}, {4'000'000'000, 0}};
    BOOST_TEST_REQUIRE(::utimensat(AT_FDCWD, name.c_str(), times, 0) == 0);
    copier.copy_all(job, copier.sizes(job), /*stderr_first=*/false);
    BOOST_TEST((copier.sizes(job) == StreamSizes{bytes + hole, 0}));
    append(slash + "stdout.log", "end\n");
    copier.copy_all(job, copier.sizes(job), /*stderr_first=*/false);
    BOOST_TEST(cursor.out_offset == bytes + hole + 4);
    BOOST_TEST(copier.error() == "");
  }
}

// The kernel makes a write that crosses pages visible page by page, so a reader may see only the
// beginning of a line.
BOOST_AUTO_TEST_CASE(splits_no_line_of_a_process_that_writes_after_its_replica_ended) {
  constexpr int kLines = 3000;
  make("role/0");
  const auto write_lines = [this](const char* name, char letter) {
    std::ofstream file;
    file.rdbuf()->pubsetbuf(nullptr, 0);
    file.open(path(std::string("role/0/") + name), std::ios::app | std::ios::binary);
    const std::string line = std::string(9000, letter) + '\n';
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

BOOST_AUTO_TEST_CASE(successor_continues_at_the_same_byte) {
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
  // As left by a merger that was killed after it wrote "err" and before it moved the cursor, or
  // during the next write.
  append("role/0/combined.log", "one\nerr\nhalf of");
  CombinedCursor cursor{4, 0};
  CombinedMerger merger(fd.get());
  merger.add(0, "role/0", &cursor);
  run_past_text_patience(merger);
  BOOST_TEST(combined() == "one\ntwo");
  append("role/0/stderr.log", "err\n");
  merger.finish(0);
  BOOST_TEST(combined() == "one\ntwoerr\n");
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

BOOST_AUTO_TEST_CASE(log_that_is_made_again_has_no_times_of_the_lost_one) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  constexpr std::int64_t kStart = 1'700'000'000 * kSecond;
  append("role/0/stdout.log", "one\nthree\n");
  append("role/0/stderr.log", "two\n");
  TimeMarkWriter writer(fd.get());
  writer.start(0, kStart);
  const CombinedCursor ends[] = {{}, {4, 0}, {4, 4}, {10, 4}};
  for (int line = 1; line <= 3; ++line)
    writer.grew(0, "role/0/times.bin", ends[line - 1], ends[line], kStart + 10 * line * kSecond);
  const auto time_at = [&](std::uint64_t offset) {
    const LineTimes times(path("role/0/combined.log"), Stream::kCombined, 14, {{kStart}},
                          kStart + 100 * kSecond);
    return times.at(offset).time_ns();
  };
  BOOST_TEST(time_at(4) == kStart + 20 * kSecond);
  CombinedCursor cursor = ends[3];
  CombinedMerger merger(fd.get());
  merger.add(0, "role/0", &cursor);
  merger.finish(0);
  BOOST_TEST(combined() == "one\nthree\ntwo\n");
  for (const std::uint64_t offset : {0U, 4U, 10U}) BOOST_TEST(time_at(offset) == 0);
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

BOOST_AUTO_TEST_CASE(combined_log_that_cannot_be_opened_is_tried_again_at_the_next_output) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  append("role/0/stdout.log", "one\n");
  make("role/0/combined.log");  // a directory, which cannot be opened for writing
  merger.add(0, "role/0", &cursor);
  run_past_text_patience(merger);
  BOOST_TEST(cursor.out_offset == 0U);
  BOOST_TEST(merger.error().find("role/0/combined.log") != std::string::npos);
  BOOST_TEST(!readable(merger.event_fd(), 200));
  std::filesystem::remove(root / "role/0/combined.log");
  append("role/0/stdout.log", "two\n");
  run_until_idle(merger);
  BOOST_TEST(combined() == "one\ntwo\n");
}

BOOST_AUTO_TEST_CASE(full_log_disk_leaves_no_half_line) {
  CombinedCursor cursor{};
  CombinedMerger merger(fd.get());
  append("role/0/stdout.log", "0123456789\n0123456789\n");
  {
    const FileSizeLimit limit(15);
    merger.add(0, "role/0", &cursor);
    run_until_idle(merger);
  }
  BOOST_TEST(combined() == "");
  BOOST_TEST(cursor.out_offset == 0U);
  BOOST_TEST(merger.error() != "");
  merger.finish(0);
  BOOST_TEST(combined() == "0123456789\n0123456789\n");
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
  std::size_t kills_before_store = 0;  // those between a write and the move of the cursor
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
    kills_before_store += size > cursor->out_offset + cursor->err_offset;
  }
  BOOST_TEST_MESSAGE(kills << " kills, between a write and its store: " << kills_before_store);
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
}  // namespace slipway::local
