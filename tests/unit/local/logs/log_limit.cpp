// Limits on log files, and reading the files afterwards, through the merger and the reader.
#include "plugins/local/logs/log_limit.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <string>
#include <thread>
#include <utility>

#include "plugins/local/logs/combined_merger.hpp"
#include "plugins/local/logs/log_reader.hpp"
#include "tests/unit/descriptor_limit.hpp"
#include "tests/unit/local/logs/fixture.hpp"

namespace {

using slipway::local::CombinedCursor;
using slipway::local::CombinedMerger;
using slipway::local::LimitedFile;
using slipway::local::LogChunk;
using slipway::local::LogLimit;
using slipway::local::LogReader;
using slipway::local::LogRules;
using slipway::local::Stream;
using slipway::local::testing::LogDirectory;

constexpr std::int64_t kPiece = 64 * 1024;  // bytes
constexpr const char* kStdoutLog = "role/0/stdout.log";

std::string number_line(int i) {
  std::string digits = std::to_string(i);
  return std::string(9 - digits.size(), '0') + digits + '\n';
}

struct LimitFixture : LogDirectory {
  // Writes lines of ten bytes, numbered from `from` on.
  void write_lines(int from, int count, const char* file = kStdoutLog) const {
    std::string text;
    for (int i = from; i < from + count; ++i) text += number_line(i);
    append(file, text);
  }
  // Returns the bytes that the file occupies on the disk.
  std::uint64_t used(const char* file) const {
    struct stat status {};
    ::stat(path(file).c_str(), &status);
    return static_cast<std::uint64_t>(status.st_blocks) * 512;
  }
  std::string read_log(const char* file = kStdoutLog, bool follow = false) const {
    LogReader reader({{"role", 0, Stream::kStdout, path(file), true}}, follow);
    std::string text;
    while (reader.next(std::chrono::milliseconds(-1), [&](const LogChunk& chunk) {
      text += chunk.bytes;
    }) == LogReader::Next::kChunks) {
    }
    return text;
  }
  // Checks that `text` has at least `least` bytes, which are the lines up to `last` without a gap.
  static void check_lines(const std::string& text, int last, std::uint64_t least) {
    BOOST_TEST(text.size() >= least);
    BOOST_REQUIRE(text.size() % 10 == 0U);
    int expected = last - static_cast<int>(text.size() / 10) + 1;
    for (std::size_t at = 0; at < text.size(); at += 10, ++expected)
      BOOST_REQUIRE(text.substr(at, 10) == number_line(expected));
  }

  LogRules rules{.piece_bytes = kPiece, .keep_pieces = 2};
};

BOOST_FIXTURE_TEST_SUITE(LimitedLogs, LimitFixture)

BOOST_AUTO_TEST_CASE(keeps_the_last_pieces_and_gives_the_rest_back) {
  LogLimit limit(fd.get(), rules);
  write_lines(0, 100'000);  // 1 MB
  const std::uint64_t before = used(kStdoutLog);
  BOOST_TEST(limit.apply(0, LimitedFile::kStdout, kStdoutLog, 1'000'000));
  BOOST_TEST(used(kStdoutLog) < before / 3);
  check_lines(read_log(), 99'999, 2 * kPiece);
  check_lines(read_log(kStdoutLog, /*follow=*/true), 99'999, 2 * kPiece);
  BOOST_TEST(read_log().size() <= 3 * static_cast<std::size_t>(kPiece));
}

BOOST_AUTO_TEST_CASE(front_that_could_not_be_given_back_follows_with_the_next_piece) {
  LogLimit limit(fd.get(), rules);
  write_lines(0, 100'000);
  {
    const slipway::DescriptorLimit none(0);
    BOOST_TEST(!limit.apply(0, LimitedFile::kStdout, kStdoutLog, 1'000'000));
  }
  write_lines(100'000, 10'000);
  const std::uint64_t before = used(kStdoutLog);
  BOOST_TEST(limit.apply(0, LimitedFile::kStdout, kStdoutLog, 1'100'000));
  BOOST_TEST(used(kStdoutLog) < before / 3);
  check_lines(read_log(), 109'999, 2 * kPiece);
}

BOOST_AUTO_TEST_CASE(a_small_file_keeps_everything) {
  LogLimit limit(fd.get(), rules);
  write_lines(0, 19'000);  // less than three pieces
  BOOST_TEST(limit.apply(0, LimitedFile::kStdout, kStdoutLog, 190'000));
  BOOST_TEST(read_log().size() == 190'000U);
}

BOOST_AUTO_TEST_CASE(reader_keeps_nul_characters_that_were_written) {
  const std::string binary(300'000, '\0');
  append(kStdoutLog, binary + "\nend\n");
  BOOST_TEST(read_log() == binary + "\nend\n");
}

BOOST_AUTO_TEST_CASE(log_that_is_cut_while_a_replica_writes_has_no_gap) {
  LogLimit limit(fd.get(), rules);
  make("role/0");
  std::thread writer([&] {
    for (int i = 0; i < 200'000; i += 500) write_lines(i, 500);
  });
  std::uint64_t size = 0;
  while (size < 2'000'000) {
    size = exists(kStdoutLog) ? std::filesystem::file_size(root / kStdoutLog) : 0;
    if (size > 0) BOOST_TEST(limit.apply(0, LimitedFile::kStdout, kStdoutLog, size));
  }
  writer.join();
  check_lines(read_log(), 199'999, 2 * kPiece);
}

BOOST_AUTO_TEST_CASE(overtaken_reader_continues_behind_the_hole) {
  LogLimit limit(fd.get(), rules);
  write_lines(0, 100'000);
  LogReader reader({{"role", 0, Stream::kStdout, path(kStdoutLog), true}}, /*follow=*/false);
  std::string text;
  bool is_first = true;
  while (reader.next(std::chrono::milliseconds(-1), [&](const LogChunk& chunk) {
    text += chunk.bytes;
    if (std::exchange(is_first, false)) limit.apply(0, LimitedFile::kStdout, kStdoutLog, 1'000'000);
  }) == LogReader::Next::kChunks) {
  }
  BOOST_TEST(text.find('\0') == std::string::npos);
  BOOST_REQUIRE(text.size() % 10 == 0U);
  int last = -1;
  for (std::size_t at = 0; at < text.size(); at += 10) {
    const int line = std::stoi(text.substr(at, 9));
    BOOST_REQUIRE(line > last);
    last = line;
  }
  BOOST_TEST(last == 99'999);
  BOOST_TEST(text.size() < 1'000'000U);
}

BOOST_AUTO_TEST_CASE(the_merger_limits_a_stream_and_combined_log) {
  CombinedCursor cursor{};
  make("role/0");
  CombinedMerger merger(fd.get(), rules);
  merger.add(0, "role/0", &cursor);
  for (int i = 0; i < 100'000; i += 10'000) {
    write_lines(i, 10'000);
    for (int turn = 0; turn < 100 && slipway::local::testing::readable(merger.event_fd(), 20);
         ++turn)
      merger.on_event();
  }
  merger.finish(0);
  BOOST_TEST(merger.error() == "");
  BOOST_TEST(cursor.out_offset == 1'000'000U);
  for (const char* file : {kStdoutLog, "role/0/combined.log"}) {
    BOOST_TEST(used(file) < 400'000U);
    check_lines(read_log(file), 99'999, 2 * kPiece);
  }
}

BOOST_AUTO_TEST_CASE(removed_combined_log_is_made_again_from_the_kept_part) {
  CombinedCursor cursor{};
  make("role/0");
  {
    CombinedMerger merger(fd.get(), rules);
    merger.add(0, "role/0", &cursor);
    write_lines(0, 100'000);
    merger.finish(0);
  }
  std::filesystem::remove(root / "role/0/combined.log");
  CombinedMerger successor(fd.get(), rules);
  successor.add(0, "role/0", &cursor);
  write_lines(100'000, 10);
  successor.finish(0);
  check_lines(read_log("role/0/combined.log"), 100'009, 2 * kPiece);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
