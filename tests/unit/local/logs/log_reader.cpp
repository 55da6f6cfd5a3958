#include "plugins/local/logs/log_reader.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "sdk/support/line_cut.hpp"
#include "slipway/error.hpp"
#include "tests/unit/local/logs/fixture.hpp"

namespace {

using slipway::kLongLine;
using slipway::local::LogChunk;
using slipway::local::LogReader;
using slipway::local::LogSource;
using slipway::local::Stream;
using slipway::local::testing::kPatienceMs;
using slipway::local::testing::LogDirectory;
using slipway::local::testing::open_descriptors;
using std::chrono::milliseconds;

struct ReaderFixture : LogDirectory {
  LogSource source(std::int32_t replica) const {
    const std::string file = "role/" + std::to_string(replica) + "/combined.log";
    return {"role", replica, Stream::kCombined, path(file), /*ended=*/true};
  }
  std::vector<LogSource> sources(std::int32_t count) const {
    std::vector<LogSource> all;
    for (std::int32_t i = 0; i < count; ++i) all.push_back(source(i));
    return all;
  }
};

struct Collected {
  std::vector<std::int32_t> order;  // the replicas of the chunks; equal neighbours count once
  std::map<std::int32_t, std::string> text;
  std::vector<std::string> chunks;
  LogReader::Sink sink() {
    return [this](const LogChunk& chunk) {
      if (order.empty() || order.back() != chunk.replica) order.push_back(chunk.replica);
      text[chunk.replica] += chunk.bytes;
      chunks.emplace_back(chunk.bytes);
    };
  }
  LogReader::Next read_all(LogReader& reader) {
    LogReader::Next next = LogReader::Next::kChunks;
    while (next == LogReader::Next::kChunks) next = reader.next(milliseconds(-1), sink());
    return next;
  }
  // Reads until the text of replica 0 is `wanted`. Returns false if it never is.
  bool await(LogReader& reader, const std::string& wanted) {
    while (text[0] != wanted) {
      if (reader.next(milliseconds(kPatienceMs), sink()) != LogReader::Next::kChunks) return false;
    }
    return true;
  }
};

BOOST_FIXTURE_TEST_SUITE(ReadLogs, ReaderFixture)

BOOST_AUTO_TEST_CASE(delivers_source_by_source_and_ends) {
  append("role/0/combined.log", "a\nb\n");
  append("role/1/combined.log", "c\n");
  append("role/2/combined.log", "d\n");
  LogReader reader({source(2), source(0), source(1)}, /*follow=*/false);
  Collected got;
  BOOST_TEST((got.read_all(reader) == LogReader::Next::kEnd));
  BOOST_TEST(got.order == (std::vector<std::int32_t>{2, 0, 1}));
  BOOST_TEST(got.text[0] == "a\nb\n");
  BOOST_TEST((reader.next(milliseconds(0), got.sink()) == LogReader::Next::kEnd));
}

BOOST_AUTO_TEST_CASE(chunks_name_role_replica_and_stream) {
  append("role/3/stderr.log", "x\n");
  LogReader reader({{"trainer", 3, Stream::kStderr, path("role/3/stderr.log"), false}},
                   /*follow=*/false);
  int chunks = 0;
  reader.next(milliseconds(-1), [&](const LogChunk& chunk) {
    ++chunks;
    BOOST_TEST(chunk.role == "trainer");
    BOOST_TEST(chunk.replica == 3);
    BOOST_TEST((chunk.stream == Stream::kStderr));
    BOOST_TEST(chunk.time_ns == 0);  // neither times.bin nor the start of an attempt is known
    BOOST_TEST(chunk.bytes == "x\n");
  });
  BOOST_TEST(chunks == 1);
}

BOOST_AUTO_TEST_CASE(missing_and_empty_files_are_empty_logs) {
  append("role/1/combined.log", "");
  append("role/2/combined.log", "x");
  LogReader reader(sources(3), /*follow=*/false);
  Collected got;
  BOOST_TEST((got.read_all(reader) == LogReader::Next::kEnd));
  BOOST_TEST(got.text.size() == 1U);
  BOOST_TEST(got.text[2] == "x");
}

BOOST_AUTO_TEST_CASE(without_sources_the_end_comes_at_once) {
  Collected got;
  for (const bool follow : {false, true}) {
    LogReader reader({}, follow);
    BOOST_TEST((got.read_all(reader) == LogReader::Next::kEnd));
  }
}

BOOST_AUTO_TEST_CASE(binary_bytes_carriage_returns_and_a_missing_newline_are_kept) {
  const std::string bytes("10%\r20%\r\n\0\xff\xfe\n\nlast", 18);
  append("role/0/combined.log", bytes);
  for (const bool follow : {false, true}) {
    LogReader reader(sources(1), follow);
    Collected got;
    BOOST_TEST((got.read_all(reader) == LogReader::Next::kEnd));
    BOOST_TEST(got.text[0] == bytes);
  }
}

BOOST_AUTO_TEST_CASE(chunks_end_at_the_end_of_a_line) {
  std::string text;
  for (int line = 0; text.size() < 3'000'000; ++line) {
    text += std::string(static_cast<std::size_t>(line % 300), 'x') + "\n";
  }
  append("role/0/combined.log", text);
  for (const bool follow : {false, true}) {
    LogReader reader(sources(1), follow);
    Collected got;
    got.read_all(reader);
    BOOST_TEST((got.text[0] == text));
    BOOST_TEST(got.chunks.size() > 1U);
    for (const std::string& chunk : got.chunks) BOOST_TEST_REQUIRE(chunk.back() == '\n');
  }
}

BOOST_AUTO_TEST_CASE(a_long_line_comes_in_pieces) {
  const std::string text = "short\n" + std::string(20 * kLongLine, 'x') + "\nend\n";
  append("role/0/combined.log", text);
  for (const bool follow : {false, true}) {
    LogReader reader(sources(1), follow);
    Collected got;
    got.read_all(reader);
    BOOST_TEST((got.text[0] == text));
    BOOST_TEST(got.chunks.size() > 3U);
  }
}

BOOST_AUTO_TEST_CASE(a_thousand_files_lose_no_byte_and_need_few_descriptors) {
  constexpr std::int32_t kFiles = 1000;
  const auto text_of = [](std::int32_t i) {
    std::string text;
    for (int line = 0; line < i % 50 * 20; ++line) {
      text += std::to_string(i) + " " + std::to_string(line) + "\n";
    }
    return text + (i % 3 == 0 ? "partial" : "");
  };
  for (std::int32_t i = 0; i < kFiles; ++i) {
    append("role/" + std::to_string(i) + "/combined.log", text_of(i));
  }
  for (const bool follow : {false, true}) {
    const std::size_t before = open_descriptors();
    LogReader reader(sources(kFiles), follow);
    Collected got;
    std::size_t most = 0;
    LogReader::Next next = LogReader::Next::kChunks;
    while (next == LogReader::Next::kChunks) {
      next = reader.next(milliseconds(-1), got.sink());
      most = std::max(most, open_descriptors() - before);
    }
    BOOST_TEST((next == LogReader::Next::kEnd));
    BOOST_TEST(most <= LogReader::kOpenFiles + 4);
    for (std::int32_t i = 0; i < kFiles; ++i) BOOST_TEST_REQUIRE((got.text[i] == text_of(i)));
  }
}

BOOST_AUTO_TEST_CASE(source_is_read_up_to_its_size_at_its_turn_while_a_writer_continues) {
  append("role/0/combined.log", "line\n");
  LogReader reader(sources(1), /*follow=*/false);
  std::string text;
  LogReader::Next next = LogReader::Next::kChunks;
  for (int turn = 0; turn < 10 && next == LogReader::Next::kChunks; ++turn) {
    next = reader.next(milliseconds(-1), [&](const LogChunk& chunk) {
      text += chunk.bytes;
      append("role/0/combined.log", "more\n");
    });
  }
  BOOST_TEST((next == LogReader::Next::kEnd));
  BOOST_TEST(text == "line\n");
}

BOOST_AUTO_TEST_CASE(truncated_stream_is_read_from_its_beginning_again) {
  append("role/0/stdout.log", "a first line\n");
  const std::string file = path("role/0/stdout.log");
  LogReader reader({{"role", 0, Stream::kStdout, file, false}}, /*follow=*/true);
  Collected got;
  BOOST_TEST_REQUIRE(got.await(reader, "a first line\n"));
  BOOST_TEST_REQUIRE(::truncate(file.c_str(), 0) == 0);
  append("role/0/stdout.log", "two\n");
  BOOST_TEST_REQUIRE(got.await(reader, "a first line\ntwo\n"));
  BOOST_TEST_REQUIRE(::truncate(file.c_str(), 0) == 0);
  append("role/0/stdout.log", "3\n");
  reader.app_ended();
  got.read_all(reader);
  BOOST_TEST(got.text[0] == "a first line\ntwo\n3\n");
}

BOOST_AUTO_TEST_CASE(hole_of_a_terabyte_is_skipped) {
  append("role/0/combined.log", "one\n");
  const std::string file = path("role/0/combined.log");
  BOOST_TEST_REQUIRE(::truncate(file.c_str(), off_t{1} << 40) == 0);
  for (const char* behind : {"", "two\nthree\n"}) {
    append("role/0/combined.log", behind);
    LogReader reader({source(0)}, /*follow=*/false);
    Collected got;
    BOOST_TEST((got.read_all(reader) == LogReader::Next::kEnd));
    std::string text = got.text[0];
    BOOST_TEST(text.size() < 1024U * 1024U);
    std::erase(text, '\0');  // of the read that began in the page of `one`, before the hole
    // A hole up to the end of a page is that of a log limit, which may have cut a line: `two` is
    // skipped as the rest of it.
    BOOST_TEST(text == std::string("one\n") + (*behind != '\0' ? "three\n" : ""));
  }
}

BOOST_AUTO_TEST_CASE(line_behind_a_hole_that_ends_within_a_page_is_read) {
  append("role/0/combined.log", "");
  const std::string file = path("role/0/combined.log");
  BOOST_TEST_REQUIRE(::truncate(file.c_str(), 100'000) == 0);
  append("role/0/combined.log", "two\nthree\n");
  for (const bool follow : {false, true}) {
    LogReader reader({source(0)}, follow);
    Collected got;
    got.read_all(reader);
    BOOST_TEST(got.text[0] == "two\nthree\n");
  }
}

BOOST_AUTO_TEST_CASE(refused_chunk_is_delivered_again) {
  append("role/0/combined.log", "a\n");
  append("role/1/combined.log", "b\n");
  for (const bool follow : {false, true}) {
    LogReader reader(sources(2), follow);
    BOOST_CHECK_THROW(
        reader.next(milliseconds(-1), [](const LogChunk&) { throw std::runtime_error("full"); }),
        std::runtime_error);
    Collected got;
    BOOST_TEST((got.read_all(reader) == LogReader::Next::kEnd));
    BOOST_TEST(got.text[0] == "a\n");
    BOOST_TEST(got.text[1] == "b\n");
  }
}

BOOST_AUTO_TEST_CASE(unreadable_file_is_reported_once_and_the_others_are_delivered) {
  make("role/0/combined.log");  // a directory
  append("role/1/combined.log", "b\n");
  for (const bool follow : {false, true}) {
    LogReader reader(sources(2), follow);
    Collected got;
    bool names_file = false;
    try {
      got.read_all(reader);
    } catch (const slipway::Error& error) {
      names_file = error.message().find("role/0/combined.log") != std::string::npos;
    }
    BOOST_TEST(names_file);
    BOOST_TEST((got.read_all(reader) == LogReader::Next::kEnd));
    BOOST_TEST(got.text[1] == "b\n");
  }
}

BOOST_AUTO_TEST_CASE(cancel_from_the_sink_stops) {
  append("role/0/combined.log", "a\n");
  append("role/1/combined.log", "b\n");
  for (const bool follow : {false, true}) {
    LogReader reader(sources(2), follow);
    int chunks = 0;
    const auto next = reader.next(milliseconds(-1), [&](const LogChunk&) {
      ++chunks;
      reader.cancel();
    });
    BOOST_TEST((next == LogReader::Next::kCancelled));
    BOOST_TEST(chunks == 1);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
