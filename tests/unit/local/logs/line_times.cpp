// Tests of times.bin: written from what the merger sees, read for log --since and --until.
#include "plugins/local/logs/line_times.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "plugins/local/logs/log_reader.hpp"
#include "plugins/local/logs/time_marks.hpp"
#include "tests/unit/local/logs/fixture.hpp"

namespace {

using slipway::OwnedFd;
using slipway::local::AttemptStart;
using slipway::local::CombinedCursor;
using slipway::local::kTimesMagic;
using slipway::local::LineTimes;
using slipway::local::LogChunk;
using slipway::local::LogReader;
using slipway::local::Stream;
using slipway::local::TimeMarkWriter;
using slipway::local::TimeRange;
using slipway::local::TimesHeader;
using slipway::local::testing::LogDirectory;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kStart = 1'700'000'000 * kSecond;
constexpr const char* kTimes = "role/0/times.bin";

struct TimesFixture : LogDirectory {
  TimesFixture() { make("role/0"); }

  // Records that stdout.log grew by `bytes`, `seconds` after the start. Returns false if times.bin
  // cannot be written.
  bool grow(std::uint64_t bytes, double seconds) {
    const CombinedCursor before = cursor;
    cursor.out_offset += bytes;
    return writer.grew(0, kTimes, before, cursor, at(seconds));
  }
  // Returns the time `seconds` after the start.
  static std::int64_t at(double seconds) {
    return kStart + static_cast<std::int64_t>(seconds * static_cast<double>(kSecond));
  }
  // Returns the times of a log file whose last change was `changed_s` seconds after the start.
  LineTimes times(double changed_s, Stream stream = Stream::kStdout) const {
    const std::uint64_t size = stream == Stream::kStderr ? cursor.err_offset : cursor.out_offset;
    return {path("role/0/stdout.log"), stream, size, starts, at(changed_s)};
  }
  static std::string text(const LineTimes::Part& part) {
    return std::to_string(part.begin) + "-" + std::to_string(part.end);
  }
  // Both return the bytes that --since or --until selects, as BEGIN-END without the byte END.
  std::string since(const LineTimes& all, double seconds) {
    return text(all.part({at(seconds), {}}));
  }
  std::string until(const LineTimes& all, double seconds) {
    return text(all.part({{}, at(seconds)}));
  }

  TimeMarkWriter writer{fd.get()};
  CombinedCursor cursor{};
  std::vector<AttemptStart> starts{{kStart}};
};

BOOST_FIXTURE_TEST_SUITE(TimesOfLines, TimesFixture)

BOOST_AUTO_TEST_CASE(a_short_replica_needs_no_file) {
  writer.start(0, kStart);
  grow(10, 0.1);
  grow(10, 0.8);
  BOOST_TEST(!exists(kTimes));
  const LineTimes all = times(0.8);
  BOOST_TEST(all.at(3).time_ns() == at(0.8));
  BOOST_TEST(since(all, 0.5) == "0-20");
  BOOST_TEST(since(all, 2) == "0-0");
  BOOST_TEST(until(all, -1) == "0-0");
}

BOOST_AUTO_TEST_CASE(file_that_gets_its_header_meanwhile_has_no_marks) {
  cursor.out_offset = 10;
  const OwnedFd file(::open(path(kTimes).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  BOOST_REQUIRE(file);
  std::atomic<bool> is_done = false;
  bool good = true;
  std::thread supervisor([&] {
    TimesHeader header{};
    std::memcpy(header.magic, kTimesMagic, sizeof header.magic);
    while (!is_done && good)
      good = ::ftruncate(file.get(), 0) == 0 &&
             ::pwrite(file.get(), &header, sizeof header, 0) == sizeof header;
  });
  BOOST_CHECK_NO_THROW(for (int i = 0; i < 20'000; ++i) times(0.8));
  is_done = true;
  supervisor.join();
  BOOST_TEST(good);
  BOOST_TEST(since(times(0.8), 0.5) == "0-10");
}

BOOST_AUTO_TEST_CASE(attempts_within_one_mark_have_their_own_times) {
  writer.start(0, kStart);
  grow(10, 0.1);
  grow(10, 0.2);
  grow(10, 0.3);
  // Time, bytes of stdout and of stderr before it, and the end of the attempt before; 0: unknown.
  starts.push_back({at(0.15), 10, 0, at(0.12)});
  starts.push_back({at(0.25), 20, 0, 0});
  const LineTimes all = times(0.3);
  BOOST_TEST(all.at(0).time_ns() == at(0.12));
  BOOST_TEST(all.at(10).time_ns() == at(0.25));
  BOOST_TEST(all.at(20).time_ns() == at(0.3));
  // The clock was set back: a start whose time is before that of earlier bytes is ignored.
  starts[1].time_ns = at(-3600);
  BOOST_TEST(times(0.3).at(0).time_ns() == at(0.25));
}

BOOST_AUTO_TEST_CASE(mark_that_a_resumed_attempt_continues_does_not_end_before_it_begins) {
  writer.start(0, kStart);
  grow(10, 0.1);
  grow(10, 5);
  // The time of combined.log may be a tick of the kernel's clock before that of the mark.
  writer.resume(0, at(4.999));
  grow(10, 9);
  const LineTimes all = times(9);
  BOOST_TEST(all.at(10).time_ns() == at(5));
  BOOST_TEST(all.at(20).time_ns() == at(9));
}

BOOST_AUTO_TEST_CASE(lines_after_a_pause_have_their_own_time) {
  writer.start(0, kStart);
  grow(10, 0.1);
  grow(5, 60);
  grow(7, 3600);
  const LineTimes all = times(3600);
  BOOST_TEST(all.at(0).time_ns() == at(0.1));
  BOOST_TEST(all.at(9).time_ns() == at(0.1));
  BOOST_TEST(all.at(10).time_ns() == at(60));
  BOOST_TEST(all.at(21).time_ns() == at(3600));
  BOOST_TEST(since(all, 30) == "10-22");
  BOOST_TEST(since(all, 100) == "15-22");
  BOOST_TEST(until(all, 30) == "0-10");
  BOOST_TEST(until(all, 100) == "0-15");
  BOOST_TEST(text(all.part({at(30), at(100)})) == "10-15");
  BOOST_TEST(since(all, 4000) == "0-0");
}

BOOST_AUTO_TEST_CASE(steady_stream_takes_few_marks_and_loses_no_line_at_a_bound) {
  writer.start(0, kStart);
  for (int i = 1; i <= 10'000; ++i) grow(20, i * 0.01);  // 2 kB a second
  const std::uint64_t file_size = std::filesystem::file_size(root / kTimes);
  BOOST_TEST(file_size < cursor.out_offset / 15);  // marks take a sixteenth (kMarkBytes)
  // A mark lasts at most a second, in which 2000 bytes are written. A bound near the edge of a mark
  // may also take its neighbour.
  const LineTimes all = times(100);
  for (double bound : {0.0, 12.345, 50.0, 99.9}) {
    const auto written = static_cast<std::uint64_t>(bound * 100) * 20;  // up to the bound
    const LineTimes::Part later = all.part({at(bound), {}});
    BOOST_TEST(later.begin <= written);
    BOOST_TEST(later.begin + 2 * 2000 >= written);
    const LineTimes::Part earlier = all.part({{}, at(bound)});
    BOOST_TEST(earlier.end >= written);
    BOOST_TEST(earlier.end <= written + 2 * 2000);
  }
}

BOOST_AUTO_TEST_CASE(streams_share_the_marks) {
  writer.start(0, kStart);
  grow(10, 0.1);
  const CombinedCursor before = cursor;
  cursor.err_offset = 4;
  writer.grew(0, kTimes, before, cursor, at(20));
  grow(10, 40);
  BOOST_TEST(times(20, Stream::kStderr).at(0).time_ns() == at(20));
  BOOST_TEST(since(times(40), 30) == "10-20");
  const LineTimes combined(path("role/0/combined.log"), Stream::kCombined, 24, starts, at(40));
  BOOST_TEST(since(combined, 10) == "10-24");
  BOOST_TEST(since(combined, 30) == "14-24");
}

BOOST_AUTO_TEST_CASE(successor_continues_the_file) {
  writer.start(0, kStart);
  grow(10, 0.1);
  grow(10, 30);
  grow(10, 30.5);  // only in the memory of the process, which dies now
  TimeMarkWriter successor(fd.get());
  successor.resume(0, at(30.5));
  const CombinedCursor before = cursor;
  cursor.out_offset += 10;
  BOOST_TEST(successor.grew(0, kTimes, before, cursor, at(90)));
  const LineTimes all = times(90);
  BOOST_TEST(since(all, 60) == "30-40");
  BOOST_TEST(all.at(25).time_ns() == at(30.5));
  BOOST_TEST(all.at(35).time_ns() == at(90));
}

BOOST_AUTO_TEST_CASE(successor_without_a_file_knows_no_earlier_times) {
  cursor.out_offset = 10;
  TimeMarkWriter successor(fd.get());
  successor.resume(0, at(50));
  const CombinedCursor before = cursor;
  cursor.out_offset += 10;
  BOOST_TEST(successor.grew(0, kTimes, before, cursor, at(90)));
  const LineTimes all = times(90);
  BOOST_TEST(all.at(5).time_ns() == 0);  // unknown within 50 seconds
  BOOST_TEST(since(all, 20) == "0-20");
  BOOST_TEST(since(all, 60) == "10-20");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_copied_again_have_no_times_until_a_pause) {
  writer.start(0, kStart);
  grow(10, 0.1);
  grow(10, 30);
  cursor = {};
  writer.restart(0, kTimes, at(90));
  BOOST_TEST(!exists(kTimes));
  grow(10, 90);
  grow(600, 90.9);
  grow(10, 91.5);
  grow(10, 120);
  const LineTimes all = times(120);
  BOOST_TEST(all.at(0).time_ns() == 0);  // unknown within 91.5 seconds
  BOOST_TEST(all.at(615).time_ns() == 0);
  BOOST_TEST(all.at(625).time_ns() == at(120));
  BOOST_TEST(since(all, 91) == "0-630");
  BOOST_TEST(since(all, 100) == "620-630");
}

BOOST_AUTO_TEST_CASE(clock_that_is_set_back_hides_no_line) {
  writer.start(0, kStart);
  grow(10, 100);
  grow(10, -3600);
  grow(10, -3500);
  const LineTimes all = times(-3500);
  BOOST_TEST(since(all, 90) == "0-10");
  BOOST_TEST(since(all, -3550) == "0-30");
}

BOOST_AUTO_TEST_CASE(bounds_at_starts_of_attempts_are_exact) {
  writer.start(0, kStart);
  grow(10, 0.1);
  starts.push_back({at(0.2), 10, 0});
  grow(5, 0.3);
  starts.push_back({at(0.4), 15, 0});
  grow(7, 0.5);
  const LineTimes all = times(0.5);
  BOOST_TEST(text(all.part({{}, at(0.2) - 1})) == "0-10");
  BOOST_TEST(text(all.part({at(0.2), at(0.4) - 1})) == "10-15");
  BOOST_TEST(text(all.part({at(0.25), at(0.35)})) == "10-15");
  BOOST_TEST(text(all.part({at(0.4), {}})) == "15-22");
  BOOST_TEST(since(all, 0.15) == "0-22");  // within the first mark
  BOOST_TEST(since(times(0.5, Stream::kStderr), 0.2) == "0-0");
}

BOOST_AUTO_TEST_CASE(attempt_that_wrote_nothing_has_no_bytes) {
  writer.start(0, kStart);
  grow(10, 0.1);
  starts.push_back({at(0.2), 10, 0});
  starts.push_back({at(0.4), 10, 0});
  BOOST_TEST(text(times(0.1).part({at(0.2), at(0.4) - 1})) == "0-0");
  BOOST_TEST(since(times(0.1), 0.4) == "0-0");
}

BOOST_AUTO_TEST_CASE(clock_that_is_set_back_between_attempts_hides_no_line) {
  writer.start(0, kStart);
  grow(10, 100);
  starts.push_back({at(-3600), 10, 0});
  grow(10, -3500);
  grow(10, 200);
  const LineTimes all = times(200);
  BOOST_TEST(since(all, 90) == "0-30");
  BOOST_TEST(until(all, -3400) == "10-20");
}

BOOST_AUTO_TEST_CASE(clock_that_is_set_back_after_a_start_hides_no_line) {
  writer.start(0, kStart);
  grow(10, 0.1);
  starts.push_back({at(50), 10, 0});
  grow(10, -3500);
  BOOST_TEST(until(times(-3500), 1) == "0-20");
}

BOOST_AUTO_TEST_CASE(failed_write_makes_times_coarser_but_not_wrong) {
  std::filesystem::remove_all(root / "role/0");
  writer.start(0, kStart);
  grow(10, 0.1);
  BOOST_TEST(!grow(10, 50));
  make("role/0");
  BOOST_TEST(grow(10, 100));
  const LineTimes all = times(100);
  BOOST_TEST(since(all, 20) == "0-30");
  BOOST_TEST(since(all, 70) == "20-30");
  BOOST_TEST(all.at(0).time_ns() == 0);
}

BOOST_AUTO_TEST_CASE(damaged_file_counts_as_missing) {
  writer.start(0, kStart);
  grow(10, 0.1);
  grow(10, 50);
  const std::string good = read(kTimes);
  const auto with = [&](const std::string& bytes) {
    std::ofstream(root / kTimes, std::ios::binary) << bytes;
    return times(50);
  };
  BOOST_TEST(since(with(good), 20) == "10-20");
  // An incomplete last mark, as during a write, costs only that mark.
  BOOST_TEST(since(with(good.substr(0, good.size() - 1)), 20) == "10-20");
  std::string other_version = good;
  other_version[7] = '9';
  for (const std::string& bad : {std::string(), good.substr(0, 9), other_version,
                                 good.substr(0, 16) + std::string(64, '\xff')}) {
    const LineTimes all = with(bad);
    BOOST_TEST(since(all, 20) == "0-20");
    BOOST_TEST(all.at(0).time_ns() == 0);
  }
}

BOOST_AUTO_TEST_CASE(reader_leaves_out_lines_outside_the_bounds) {
  writer.start(0, kStart);
  append("role/0/stdout.log", "first one\n");
  grow(10, 0.1);
  append("role/0/stdout.log", "second\n");
  grow(7, 60);
  append("role/0/stdout.log", "third\n");
  grow(6, 120);
  const auto read_back = [&](TimeRange range, bool follow = false) {
    LogReader reader({{"role", 0, Stream::kStdout, path("role/0/stdout.log"), true, starts}},
                     follow, range);
    std::string text;
    while (reader.next(std::chrono::milliseconds(-1), [&](const LogChunk& chunk) {
      text += chunk.bytes;
    }) == LogReader::Next::kChunks) {
    }
    return text;
  };
  BOOST_TEST(read_back({at(50), at(70)}) == "second\n");
  BOOST_TEST(read_back({{}, at(70)}) == "first one\nsecond\n");
  BOOST_TEST(read_back({at(-10), {}}) == "first one\nsecond\nthird\n");
  BOOST_TEST(read_back({at(50), {}}, /*follow=*/true) == "second\nthird\n");
  BOOST_TEST(read_back({{}, at(-10)}) == "");
}

BOOST_AUTO_TEST_CASE(reader_reports_the_times) {
  writer.start(0, kStart);
  append("role/0/stdout.log", "a\nb\n");
  grow(4, 0.1);
  append("role/0/stdout.log", "c\n");
  grow(2, 60);
  LogReader reader({{"role", 0, Stream::kStdout, path("role/0/stdout.log"), true, starts}},
                   /*follow=*/false);
  std::vector<std::pair<std::string, std::int64_t>> got;
  reader.next(std::chrono::milliseconds(-1),
              [&](const LogChunk& chunk) { got.emplace_back(chunk.bytes, chunk.time_ns); });
  BOOST_REQUIRE(got.size() == 2U);
  BOOST_TEST(got[0].first == "a\nb\n");
  BOOST_TEST(got[0].second == at(0.1));
  BOOST_TEST(got[1].first == "c\n");
  BOOST_TEST(got[1].second == at(60));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
