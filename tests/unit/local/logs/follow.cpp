// Reads log files while they grow.
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "plugins/local/logs/log_reader.hpp"
#include "tests/unit/local/logs/fixture.hpp"
#include "tests/unit/local/logs/inotify_shortage.hpp"

namespace {

using slipway::OwnedFd;
using slipway::local::LogChunk;
using slipway::local::LogReader;
using slipway::local::LogSource;
using slipway::local::Stream;
using slipway::local::testing::InotifyShortage;
using slipway::local::testing::kPatienceMs;
using slipway::local::testing::LogDirectory;
using std::chrono::milliseconds;
using Next = LogReader::Next;

constexpr bool kFollow = true;

struct FollowFixture : LogDirectory {
  std::vector<LogSource> sources(std::int32_t count) const {
    std::vector<LogSource> all;
    for (std::int32_t i = 0; i < count; ++i) {
      const std::string file = "role/" + std::to_string(i) + "/combined.log";
      all.push_back({"role", i, Stream::kCombined, path(file), false});
    }
    return all;
  }
  static std::string file(std::int32_t replica) {
    return "role/" + std::to_string(replica) + "/combined.log";
  }

  // Reads until the replica's `text` is `wanted`. Returns false if it never is.
  bool await(LogReader& reader, std::int32_t replica, const std::string& wanted) {
    while (text[replica] != wanted) {
      if (reader.next(milliseconds(kPatienceMs), collect) != Next::kChunks) return false;
    }
    return true;
  }
  // Reads until nothing comes for a while.
  void read_until_idle(LogReader& reader) {
    while (reader.next(milliseconds(50), collect) == Next::kChunks) {
    }
  }
  // Reads until no more text comes, and returns why.
  Next drain(LogReader& reader) {
    Next next = Next::kChunks;
    while (next == Next::kChunks) next = reader.next(milliseconds(kPatienceMs), collect);
    return next;
  }

  std::map<std::int32_t, std::string> text;
  LogReader::Sink collect = [this](const LogChunk& chunk) { text[chunk.replica] += chunk.bytes; };
};

BOOST_FIXTURE_TEST_SUITE(Follow, FollowFixture)

BOOST_AUTO_TEST_CASE(text_that_was_written_before_is_delivered_without_a_wait) {
  std::string old;
  while (old.size() < std::size_t{5} << 20) old += "a line that was written before the reader\n";
  append(file(0), old);
  append(file(1), old);
  LogReader reader(sources(2), kFollow);
  while (reader.next(milliseconds(0), collect) == Next::kChunks) {
  }
  BOOST_TEST(text[0].size() == old.size());
  BOOST_TEST(text[1].size() == old.size());
}

BOOST_AUTO_TEST_CASE(delivers_lines_as_they_are_written) {
  append(file(0), "there\n");
  append(file(1), "");
  LogReader reader(sources(2), kFollow);
  BOOST_TEST(await(reader, 0, "there\n"));
  read_until_idle(reader);
  append(file(1), "one\n");
  BOOST_TEST(await(reader, 1, "one\n"));
  append(file(1), "two\n");
  BOOST_TEST(await(reader, 1, "one\ntwo\n"));
  read_until_idle(reader);
  append(file(0), "three\n");
  BOOST_TEST(await(reader, 0, "there\nthree\n"));
}

BOOST_AUTO_TEST_CASE(timeout_of_0_still_delivers_all_lines_written_before_the_call) {
  append(file(0), "one\n");
  LogReader reader(sources(1), kFollow);
  BOOST_TEST(await(reader, 0, "one\n"));
  append(file(0), "two\n");
  BOOST_TEST((reader.next(milliseconds(0), collect) == Next::kChunks));
  BOOST_TEST(text[0] == "one\ntwo\n");
  BOOST_TEST((reader.next(milliseconds(0), collect) == Next::kTimeout));
}

BOOST_AUTO_TEST_CASE(delivers_everything_and_stops_when_the_app_has_ended) {
  append(file(0), "one\n");
  LogReader reader(sources(3), kFollow);
  BOOST_TEST(await(reader, 0, "one\n"));
  append(file(0), "partial");
  append(file(1), "late\nand unfinished");
  reader.app_ended();
  BOOST_TEST((drain(reader) == Next::kEnd));
  BOOST_TEST(text[0] == "one\npartial");
  BOOST_TEST(text[1] == "late\nand unfinished");
  BOOST_TEST(text[2] == "");
  BOOST_TEST((reader.next(milliseconds(-1), collect) == Next::kEnd));
}

BOOST_AUTO_TEST_CASE(stops_when_every_source_had_ended_before) {
  append(file(0), "one\npartial");
  std::vector<LogSource> all = sources(2);
  for (LogSource& source : all) source.ended = true;
  LogReader reader(std::move(all), kFollow);
  BOOST_TEST((drain(reader) == Next::kEnd));
  BOOST_TEST(text[0] == "one\npartial");
}

BOOST_AUTO_TEST_CASE(delivers_a_line_that_does_not_end_soon) {
  append(file(0), "there\n");
  LogReader reader(sources(1), kFollow);
  BOOST_TEST(await(reader, 0, "there\n"));
  append(file(0), "\r10%");
  BOOST_TEST(await(reader, 0, "there\n\r10%"));
  read_until_idle(reader);
  append(file(0), "\r20%");
  BOOST_TEST(await(reader, 0, "there\n\r10%\r20%"));
  append(file(0), "\n");
  BOOST_TEST(await(reader, 0, "there\n\r10%\r20%\n"));
}

BOOST_AUTO_TEST_CASE(line_that_was_begun_soon_after_another_one_ended_is_delivered) {
  append(file(0), "a");
  LogReader reader(sources(1), kFollow);
  BOOST_TEST((reader.next(milliseconds(0), collect) == Next::kTimeout));
  append(file(0), "b\n");
  BOOST_TEST(await(reader, 0, "ab\n"));
  append(file(0), "c");
  BOOST_TEST(await(reader, 0, "ab\nc"));
}

BOOST_AUTO_TEST_CASE(times_out_when_nothing_is_written) {
  append(file(0), "");
  LogReader reader(sources(2), kFollow);
  BOOST_TEST((reader.next(milliseconds(0), collect) == Next::kTimeout));
  BOOST_TEST((reader.next(milliseconds(30), collect) == Next::kTimeout));
  BOOST_TEST(text.empty());
}

BOOST_AUTO_TEST_CASE(idle_follower_does_not_wake_up) {
  for (std::int32_t i = 0; i < 50; ++i) append(file(i), "x\n");
  LogReader reader(sources(100), kFollow);
  read_until_idle(reader);
  rusage before{};
  rusage after{};
  ::getrusage(RUSAGE_THREAD, &before);
  BOOST_TEST((reader.next(milliseconds(300), collect) == Next::kTimeout));
  ::getrusage(RUSAGE_THREAD, &after);
  // Allows one sleep, and a few switches that the kernel causes itself.
  BOOST_TEST(after.ru_nvcsw - before.ru_nvcsw <= 3);
}

BOOST_AUTO_TEST_CASE(waits_for_files_that_appear_later) {
  LogReader reader(sources(3), kFollow);
  read_until_idle(reader);
  make("role");
  read_until_idle(reader);
  make("role/0");
  append(file(1), "one\n");
  BOOST_TEST(await(reader, 1, "one\n"));
  append(file(0), "zero\n");
  BOOST_TEST(await(reader, 0, "zero\n"));
  append("elsewhere", "two\n");
  make("role/2");
  read_until_idle(reader);
  std::filesystem::rename(root / "elsewhere", root / file(2));
  BOOST_TEST(await(reader, 2, "two\n"));
}

BOOST_AUTO_TEST_CASE(removed_directory_may_come_back) {
  make("role/0");
  LogReader reader(sources(1), kFollow);
  read_until_idle(reader);
  std::filesystem::remove_all(root / "role");
  read_until_idle(reader);
  append(file(0), "back\n");
  BOOST_TEST(await(reader, 0, "back\n"));
}

BOOST_AUTO_TEST_CASE(file_in_place_of_a_directory_does_not_hang_the_reader) {
  append("role", "a file");
  LogReader reader(sources(1), kFollow);
  BOOST_TEST((reader.next(milliseconds(50), collect) == Next::kTimeout));
  std::filesystem::remove(root / "role");
  append(file(0), "now\n");
  BOOST_TEST(await(reader, 0, "now\n"));
}

BOOST_AUTO_TEST_CASE(file_with_two_sources_is_delivered_twice) {
  append(file(0), "");
  std::vector<LogSource> all = sources(1);
  all.push_back(all[0]);
  all[1].replica = 1;
  LogReader reader(std::move(all), kFollow);
  read_until_idle(reader);
  append(file(0), "x\n");
  BOOST_TEST(await(reader, 0, "x\n"));
  BOOST_TEST(await(reader, 1, "x\n"));
}

BOOST_AUTO_TEST_CASE(cancel_from_another_thread_ends_the_waiting) {
  append(file(0), "x\n");
  LogReader reader(sources(2), kFollow);
  read_until_idle(reader);
  std::thread other([&] { reader.cancel(); });
  const Next next = reader.next(milliseconds(-1), collect);
  other.join();
  BOOST_TEST((next == Next::kCancelled));
  BOOST_TEST((reader.next(milliseconds(-1), collect) == Next::kCancelled));
}

BOOST_AUTO_TEST_CASE(the_end_of_the_app_from_another_thread_ends_the_waiting) {
  append(file(0), "x\npartial");
  LogReader reader(sources(2), kFollow);
  std::thread other([&] { reader.app_ended(); });
  const Next next = drain(reader);
  other.join();
  BOOST_TEST((next == Next::kEnd));
  BOOST_TEST(text[0] == "x\npartial");
}

BOOST_AUTO_TEST_CASE(calls_back_when_the_callers_descriptor_is_readable) {
  append(file(0), "x\npartial");
  LogReader reader(sources(1), kFollow);
  const OwnedFd event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  int wakes = 0;
  reader.watch(event.get(), [&] {
    eventfd_t value = 0;
    ::eventfd_read(event.get(), &value);
    if (++wakes == 2) reader.app_ended();
  });
  read_until_idle(reader);
  BOOST_TEST(wakes == 0);
  ::eventfd_write(event.get(), 1);
  BOOST_TEST((reader.next(milliseconds(20), collect) == Next::kTimeout));
  BOOST_TEST(wakes == 1);
  ::eventfd_write(event.get(), 1);
  BOOST_TEST((drain(reader) == Next::kEnd));
  BOOST_TEST(text[0] == "x\npartial");
}

BOOST_AUTO_TEST_CASE(works_without_inotify) {
  const InotifyShortage shortage;
  if (!shortage.is_complete()) return;
  append(file(0), "a\n");
  LogReader reader(sources(2), kFollow);
  BOOST_TEST(await(reader, 0, "a\n"));
  append(file(0), "b\n");
  append(file(1), "c\n");
  BOOST_TEST(await(reader, 0, "a\nb\n"));
  BOOST_TEST(await(reader, 1, "c\n"));
}

BOOST_AUTO_TEST_CASE(survives_lost_events) {
  std::ifstream limit_file("/proc/sys/fs/inotify/max_queued_events");
  std::size_t limit = 0;
  limit_file >> limit;
  if (limit == 0 || limit > 100'000) return;  // filling such a queue takes too long
  make("role/0");
  append(file(1), "");
  LogReader reader(sources(2), kFollow);
  read_until_idle(reader);
  // The awaited name comes last, after more events than the queue holds.
  append("role/0/noise", "");
  const std::string names[] = {path("role/0/noise"), path("role/0/din")};
  for (std::size_t i = 0; i <= limit; ++i) {
    std::filesystem::rename(names[i % 2], names[(i + 1) % 2]);
  }
  append(file(0), "here\n");
  append(file(1), "and here\n");
  BOOST_TEST(await(reader, 0, "here\n"));
  BOOST_TEST(await(reader, 1, "and here\n"));
  read_until_idle(reader);
  append(file(0), "again\n");
  BOOST_TEST(await(reader, 0, "here\nagain\n"));
}

// Every writer makes its own directory and file, and writes each line in two halves.
BOOST_AUTO_TEST_CASE(delivers_every_line_of_concurrent_writers_once) {
  constexpr std::int32_t kWriters = 24;
  constexpr int kLines = 4000;
  const auto line_of = [](std::int32_t writer, int line) {
    return std::to_string(writer) + " line " + std::to_string(line) + "\n";
  };
  std::vector<pid_t> writers;
  for (std::int32_t i = 0; i < kWriters; ++i) {
    const pid_t writer = ::fork();
    if (writer == 0) {
      make("role/" + std::to_string(i));
      const int out =
          ::open(path(file(i)).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
      for (int line = 0; line < kLines; ++line) {
        const std::string bytes = line_of(i, line);
        if (::write(out, bytes.data(), 5) < 0) ::_exit(1);
        if (::write(out, bytes.data() + 5, bytes.size() - 5) < 0) ::_exit(1);
      }
      ::_exit(0);
    }
    writers.push_back(writer);
  }
  LogReader reader(sources(kWriters), kFollow);
  std::thread reaper([&] {
    for (const pid_t writer : writers) ::waitpid(writer, nullptr, 0);
    reader.app_ended();
  });
  const Next next = drain(reader);
  reaper.join();
  BOOST_TEST((next == Next::kEnd));
  for (std::int32_t i = 0; i < kWriters; ++i) {
    std::string wanted;
    for (int line = 0; line < kLines; ++line) wanted += line_of(i, line);
    BOOST_TEST_REQUIRE((text[i] == wanted));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
