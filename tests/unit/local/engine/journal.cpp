// Writes a journal, and reads attempts and GPUs from it as `status` does.
#include "plugins/local/engine/journal.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "plugins/local/engine/journal_reader.hpp"
#include "slipway/owned_fd.hpp"
#include "tests/unit/file_size_limit.hpp"

namespace slipway::local {
namespace {

struct JournalFixture {
  JournalFixture() {
    char name[] = "/tmp/slipway-journal-XXXXXX";
    BOOST_TEST_REQUIRE(::mkdtemp(name) != nullptr);
    top = name;
    dir.reset(::open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  ~JournalFixture() { std::filesystem::remove_all(top); }

  std::string text() const {
    std::ifstream file(top + '/' + kEventsName);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void add_attempts(int count) const {
    EventLog journal(dir.get());
    for (int n = 1; n <= count; ++n) {
      journal.add(1,
                  "replica a b/10 ENDED pid=4" + std::to_string(n) +
                      " attempt=" + std::to_string(n) +
                      " reason=exit status=768 state=FAILED started=100 cpu_ns=7 max_rss=8",
                  200 + n);
    }
    BOOST_TEST(journal.flush());
  }

  std::string top;
  OwnedFd dir;
};

BOOST_FIXTURE_TEST_SUITE(LocalEngineJournal, JournalFixture)

BOOST_AUTO_TEST_CASE(attempts_are_read_with_all_their_values) {
  add_attempts(2);
  const Histories all = read_histories(dir.get());
  BOOST_TEST_REQUIRE(all.size() == 1U);
  const auto& attempts = all.at("a b/10").attempts;
  BOOST_TEST_REQUIRE(attempts.size() == 2U);
  BOOST_TEST(attempts[1].number == 2U);
  BOOST_TEST((attempts[1].end.state == AppState::kFailed));
  BOOST_TEST(attempts[1].end.reason == "exit");
  BOOST_TEST(attempts[1].end.pid == 42);
  BOOST_TEST((attempts[1].end.exit_code == 3));  // the wait status 768 is 3 * 256
  BOOST_TEST(attempts[1].end.signal == 0);
  BOOST_TEST((attempts[1].end.started_at == 100));
  BOOST_TEST((attempts[1].end.finished_at == 202));
  BOOST_TEST(attempts[1].end.use.cpu_time_ns == 7);
  BOOST_TEST(attempts[1].end.use.max_rss_bytes == 8);
}

BOOST_AUTO_TEST_CASE(ends_of_logs_are_read_if_the_line_has_both) {
  EventLog journal(dir.get());
  journal.add(1, "replica w/0 ENDED pid=4 attempt=1 reason=exit state=FAILED out_end=12 err_end=0");
  journal.add(2, "replica w/0 ENDED pid=5 attempt=2 reason=exit state=FAILED out_end=12");
  BOOST_TEST(journal.flush());
  const Histories all = read_histories(dir.get());
  const auto& attempts = all.at("w/0").attempts;
  BOOST_TEST_REQUIRE(attempts.size() == 2U);
  BOOST_TEST_REQUIRE(attempts[0].end.logs.has_value());
  BOOST_TEST(attempts[0].end.logs->out == 12U);
  BOOST_TEST(attempts[0].end.logs->err == 0U);
  BOOST_TEST(!attempts[1].end.logs.has_value());
}

BOOST_AUTO_TEST_CASE(leased_gpus_are_read) {
  EventLog journal(dir.get());
  journal.add(1, "replica w/0 LEASED pid=0 gpus=0,3");
  BOOST_TEST(journal.flush());
  BOOST_TEST(read_histories(dir.get()).at("w/0").gpus == "0,3");
}

BOOST_AUTO_TEST_CASE(damaged_line_about_an_attempt_is_skipped) {
  add_attempts(3);
  std::string bytes = text();
  bytes[bytes.find("attempt=2") + 8] = '1';
  std::ofstream(top + '/' + kEventsName) << bytes;
  const Histories all = read_histories(dir.get());
  const auto& attempts = all.at("a b/10").attempts;
  BOOST_TEST_REQUIRE(attempts.size() == 2U);
  BOOST_TEST(attempts[0].number == 1U);
  BOOST_TEST(attempts[1].number == 3U);
  BOOST_TEST(count_ended_attempts(bytes) == 2U);
}

BOOST_AUTO_TEST_CASE(incomplete_last_line_is_skipped) {
  add_attempts(2);
  const std::string bytes = text();
  std::ofstream(top + '/' + kEventsName) << bytes.substr(0, bytes.size() - 1);
  BOOST_TEST(read_histories(dir.get()).at("a b/10").attempts.size() == 1U);
}

BOOST_AUTO_TEST_CASE(line_after_an_incomplete_one_is_read) {
  add_attempts(1);
  std::ofstream(top + '/' + kEventsName, std::ios::app) << "1234abcd 7";
  EventLog journal(dir.get());
  journal.add(8, "replica a b/10 ENDED pid=43 attempt=2 reason=exit state=FAILED started=100", 300);
  BOOST_TEST(journal.flush());
  BOOST_TEST(read_histories(dir.get()).at("a b/10").attempts.size() == 2U);
}

BOOST_AUTO_TEST_CASE(journal_of_another_version_has_no_histories) {
  add_attempts(1);
  std::string bytes = text();
  bytes[bytes.find('\n') - 1] = '9';
  std::ofstream(top + '/' + kEventsName) << bytes;
  BOOST_TEST(read_histories(dir.get()).empty());
}

BOOST_AUTO_TEST_CASE(failed_write_is_reported_and_a_later_reserve_opens_the_journal) {
  std::filesystem::create_directory(top + '/' + kEventsName);
  EventLog journal(dir.get());
  journal.add(1, "app RUNNING");
  BOOST_TEST(!journal.flush());
  BOOST_TEST(!journal.reserve(100));
  std::filesystem::remove(top + '/' + kEventsName);
  BOOST_TEST(journal.reserve(100));
  journal.add(2, "app FAILED");
  BOOST_TEST(journal.flush());
  BOOST_TEST(text().substr(0, kEventsVersion.size()) == kEventsVersion);
  BOOST_TEST(text().find("app FAILED\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(journal_whose_first_line_failed_can_be_read_later) {
  // The limits are before, in, at the end of, and behind the first line.
  for (const rlim_t bytes : {0U, 5U, 16U, 17U, 30U}) {
    for (const bool has_successor : {false, true}) {
      BOOST_TEST_CONTEXT(bytes << " bytes, successor: " << has_successor) {
        std::filesystem::remove(top + '/' + kEventsName);
        EventLog journal(dir.get());
        {
          const FileSizeLimit limit(bytes);
          journal.add(1, "app SUBMITTED");
          BOOST_TEST(!journal.flush());
        }
        if (has_successor) {
          add_attempts(1);
        } else {
          journal.add(2, "replica a b/10 ENDED pid=4 attempt=1 reason=exit state=FAILED");
          BOOST_TEST(journal.flush());
        }
        BOOST_TEST(read_histories(dir.get()).size() == 1U);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(space_is_reserved_after_lines_that_were_written_in_part) {
  EventLog journal(dir.get());
  BOOST_TEST(journal.reserve(1));
  // Each round writes the 10,000 bytes up to its limit. Together they are more than the reserve.
  for (std::uint64_t sequence = 1; sequence <= 10; ++sequence) {
    const FileSizeLimit limit(sequence * 10'000);
    journal.add(sequence, std::string(12'000, 'x'));
    BOOST_TEST(!journal.flush());
  }
  BOOST_TEST(journal.reserve(1));
  struct stat info {};
  BOOST_REQUIRE(::stat((top + '/' + kEventsName).c_str(), &info) == 0);
  BOOST_TEST(info.st_size == 100'000);
  // reserve() allocates 64 KiB more than it was asked for.
  BOOST_TEST(info.st_blocks * 512 > info.st_size + 50'000);
}

BOOST_AUTO_TEST_CASE(reserved_space_does_not_change_the_size_of_the_journal) {
  EventLog journal(dir.get());
  journal.add(1, "app RUNNING");
  BOOST_TEST(journal.flush());
  const auto size = text().size();
  BOOST_TEST(journal.reserve(1'000'000));
  BOOST_TEST(text().size() == size);
  journal.release();
  BOOST_TEST(text().size() == size);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
