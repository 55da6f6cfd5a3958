#include "plugins/slurm/logs/log_files.hpp"

#include <boost/test/unit_test.hpp>
#include <thread>

#include "slipway/error.hpp"
#include "tests/unit/slurm/slurm_fixture.hpp"

namespace slipway::slurm::test {
namespace {

constexpr bool kFollow = true;
constexpr bool kNoFollow = false;
constexpr std::int64_t kPatienceMs = 60'000;  // longer than any step takes

struct LogFixture : SlurmFixture {
  void append(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::app) << text;
  }
  LogFile file(const std::string& name) const { return {path(name), "w", 0, Stream::kStdout}; }
  /// Returns all output of the iterator before it ends or waits.
  std::string read(LogFiles& logs, std::int64_t timeout_ms = 0) const {
    std::string out;
    const auto sink = [&](const LogChunk& chunk) { out.append(chunk.bytes); };
    while (logs.next(timeout_ms, sink) == LogIterator::Next::kChunks) continue;
    return out;
  }
};

BOOST_FIXTURE_TEST_SUITE(LogFilesSuite, LogFixture)

BOOST_AUTO_TEST_CASE(reads_file_by_file_including_an_unfinished_last_line) {
  append("a", "1\n2\nrest");
  append("b", std::string(3 << 20, 'x') + "\n");  // more than one read
  // The function returns whether the job has ended.
  LogFiles logs(
      directory, {file("a"), file("b"), file("missing")}, kNoFollow, [] { return true; }, Host());
  const std::string all = read(logs, -1);
  BOOST_TEST(all.size() == 8u + (3u << 20) + 1u);
  BOOST_TEST(all.substr(0, 9) == "1\n2\nrestx");
}

BOOST_AUTO_TEST_CASE(follows_until_the_job_ends) {
  bool is_over = false;
  LogFiles logs(
      directory, {file("a"), file("b")}, kFollow, [&] { return is_over; }, Host());
  BOOST_TEST(read(logs) == "");
  append("a", "1\nhal");
  BOOST_TEST(read(logs) == "1\n");
  append("a", "f\n");
  append("b", "2");
  BOOST_TEST(read(logs) == "half\n");
  is_over = true;
  BOOST_TEST(read(logs, -1) == "2");
  BOOST_TEST((logs.next(0, [](const LogChunk&) {}) == LogIterator::Next::kEnd));
}

BOOST_AUTO_TEST_CASE(a_follower_gets_a_line_that_does_not_end_soon) {
  LogFiles logs(
      directory, {file("a")}, kFollow, [] { return false; }, Host());
  std::string out;
  const auto sink = [&](const LogChunk& chunk) { out.append(chunk.bytes); };
  for (const std::string wanted : {"\r10%", "\r10%\r20%", "\r10%\r20%\n"}) {
    append("a", wanted.substr(out.size()));
    while (out != wanted)
      BOOST_REQUIRE((logs.next(kPatienceMs, sink) == LogIterator::Next::kChunks));
  }
}

BOOST_AUTO_TEST_CASE(read_that_fails_is_an_error_after_the_other_files) {
  // The kernel opens this file, and refuses to read it: the loopback device has no speed.
  const LogFile refused = {"/sys/class/net/lo/speed", "w", 1, Stream::kStdout};
  append("a", "1\n");
  for (const bool follow : {false, true}) {
    LogFiles logs(
        directory, {refused, file("a")}, follow, [] { return true; }, Host());
    std::string out;
    const auto sink = [&](const LogChunk& chunk) { out.append(chunk.bytes); };
    BOOST_TEST((logs.next(-1, sink) == LogIterator::Next::kChunks));
    BOOST_TEST(out == "1\n");
    BOOST_CHECK_EXCEPTION(logs.next(-1, sink), Error, [](const Error& error) {
      return error.message() == "cannot read /sys/class/net/lo/speed: Invalid argument";
    });
  }
}

BOOST_AUTO_TEST_CASE(symbolic_link_to_itself_is_an_error) {
  fs::create_symlink("loop", path("loop"));
  LogFiles logs(
      directory, {file("loop")}, kNoFollow, [] { return true; }, Host());
  BOOST_CHECK_THROW(read(logs), Error);
}

BOOST_AUTO_TEST_CASE(a_file_that_was_replaced_is_read_from_its_start) {
  append("a", "a long first line\n");
  LogFiles logs(
      directory, {file("a")}, kFollow, [] { return false; }, Host());
  BOOST_TEST(read(logs) == "a long first line\n");
  fs::remove(path("a"));
  append("a", "new\n");
  BOOST_TEST(read(logs) == "new\n");
}

BOOST_AUTO_TEST_CASE(after_a_rotation_the_new_file_is_read_even_if_it_is_longer) {
  append("a", "1\n");
  LogFiles logs(
      directory, {file("a")}, kFollow, [] { return false; }, Host());
  BOOST_TEST(read(logs) == "1\n");
  fs::rename(path("a"), path("a.1"));
  BOOST_TEST(read(logs) == "");
  append("a", "longer than before\n");
  BOOST_TEST(read(logs) == "longer than before\n");
}

BOOST_AUTO_TEST_CASE(missing_logs_of_started_replicas_are_reported) {
  JobRecord record;
  record.app_id = "7";
  record.record_dir = record.log_dir = directory;
  record.app = app_of(Role("w").runs("x").replicas(2));
  fs::create_directories(path("replicas"));
  append("replicas/w-0", "started=1 node=n1 pid=2 attempt=0\n");
  append("slurm-7-w-0.out", "");
  const StrList gone = missing_logs(record, log_sources(record, {}));
  BOOST_TEST(gone == StrList{path("slurm-7-w-0.err")}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(cancelling_wakes_a_reader_that_waits) {
  LogFiles logs(
      directory, {file("a")}, kFollow, [] { return false; }, Host());
  std::thread other([&] { logs.cancel(); });
  BOOST_CHECK_EXCEPTION(logs.next(-1, [](const LogChunk&) {}), Error,
                        [](const Error& error) { return error.code() == Code::kCancelled; });
  other.join();
}

BOOST_AUTO_TEST_CASE(a_missing_directory_is_not_found) {
  BOOST_CHECK_EXCEPTION(LogFiles(
                            path("gone"), {}, kNoFollow, [] { return true; }, Host()),
                        Error, [](const Error& error) { return error.code() == Code::kNotFound; });
}

BOOST_AUTO_TEST_CASE(sources_are_the_files_of_the_wanted_replicas) {
  JobRecord record;
  record.app_id = "7;east";
  record.log_dir = "/l";
  record.app = app_of(Role("w").runs("x").replicas(2));
  LogQuery query;
  query.targets = {{"w", {1}}};
  const auto files = log_sources(record, query);
  BOOST_REQUIRE(files.size() == 2u);
  BOOST_TEST(files[0].path == "/l/slurm-7-w-1.out");
  BOOST_TEST(files[1].path == "/l/slurm-7-w-1.err");
  query.targets = {{"w", {2}}};
  BOOST_CHECK_THROW(log_sources(record, query), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::slurm::test
