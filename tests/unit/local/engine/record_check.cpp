// The checks of words, entries and the header find every changed bit that they cover.
#include "plugins/local/engine/record_check.hpp"

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstring>
#include <string>

namespace slipway::local {
namespace {

template <typename T>
std::string bytes_of(const T& part) {
  return std::string(reinterpret_cast<const char*>(&part), sizeof part);
}

std::string flipped(std::string bytes, std::size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  return bytes;
}

struct RecordFixture {
  RecordFixture() {
    head.word.store(make_word(RecordState::kFailed, 2, 4242));
    head.wait_status.store(0x300);
    head.flags.store(kHasWaitStatus);
    head.reason.store(1);
    tail.started_ns.store(1'795'250'087'268'174'196);
    tail.finished_ns.store(1'795'250'087'571'857'382);
    seal(entry);
  }
  ReplicaHead head{};
  ReplicaTail tail{};
  ReplicaEntry entry{head, tail};
};

BOOST_FIXTURE_TEST_SUITE(LocalEngineRecordCheck, RecordFixture)

BOOST_AUTO_TEST_CASE(word_returns_the_values_that_it_was_made_from) {
  for (const std::int32_t pid : {0, 1, 4242, (1 << 22) - 1}) {
    for (const std::uint32_t attempt : {0U, 1U, (1U << 24U) - 1}) {
      const std::uint64_t word = make_word(RecordState::kEnded, attempt, pid);
      BOOST_TEST(is_word(word));
      BOOST_TEST((word_state(word) == RecordState::kEnded));
      BOOST_TEST(word_attempt(word) == attempt);
      BOOST_TEST(word_pid(word) == pid);
    }
  }
}

BOOST_AUTO_TEST_CASE(check_covers_every_bit_of_a_word) {
  for (const std::int32_t pid : {0, 1, 77, 4242, 1'048'576, (1 << 22) - 1}) {
    const std::uint64_t word = make_word(RecordState::kRunning, 3, pid);
    for (unsigned bit = 0; bit < 64; ++bit) BOOST_TEST(!is_word(word ^ std::uint64_t{1} << bit));
  }
}

BOOST_AUTO_TEST_CASE(check_covers_every_bit_of_a_head_except_the_reserved_field) {
  const std::string good = bytes_of(head);
  BOOST_TEST(is_whole_head(good.data()));
  for (std::size_t bit = 0; bit < 8 * offsetof(ReplicaHead, reserved); ++bit)
    BOOST_TEST(!is_whole_head(flipped(good, bit).data()), "bit " << bit);
}

BOOST_AUTO_TEST_CASE(check_covers_every_bit_of_a_tail_except_the_cursor) {
  const std::string good = bytes_of(tail);
  const std::uint64_t word = head.word.load();
  BOOST_TEST(is_whole_tail(word, good.data()));
  for (std::size_t bit = 0; bit < 8 * sizeof tail; ++bit) {
    const bool is_cursor =
        bit / 8 >= offsetof(ReplicaTail, combined_out) && bit / 8 < offsetof(ReplicaTail, due_ns);
    BOOST_TEST(is_whole_tail(word, flipped(good, bit).data()) == is_cursor, "bit " << bit);
  }
}

BOOST_AUTO_TEST_CASE(check_covers_every_bit_of_the_changing_part_of_a_header) {
  StateHeader header{};
  header.sequence.store(7);
  header.finished_ns.store(1'795'250'087'571'857'382);
  std::memcpy(header.message, "it ended", 8);
  header.message_length.store(8);
  seal(header);
  const std::string good = bytes_of(header);
  BOOST_TEST(is_whole_header(good.data()));
  for (std::size_t bit = 8 * offsetof(StateHeader, sequence);
       bit < 8 * (offsetof(StateHeader, message) + 8); ++bit)
    BOOST_TEST(!is_whole_header(flipped(good, bit).data()), "bit " << bit);
}

BOOST_AUTO_TEST_CASE(head_and_tail_during_a_change_are_not_damaged) {
  unseal(entry);
  head.flags.store(99);
  tail.finished_ns.store(99);
  BOOST_TEST(is_whole_head(bytes_of(head).data()));
  BOOST_TEST(is_whole_tail(head.word.load(), bytes_of(tail).data()));
}

BOOST_AUTO_TEST_CASE(zeroed_head_is_damaged_and_a_zeroed_tail_only_fits_a_fresh_word) {
  const std::string zeros(sizeof(ReplicaTail), '\0');
  BOOST_TEST(!is_whole_head(zeros.data()));
  BOOST_TEST(!is_whole_tail(head.word.load(), zeros.data()));
  ReplicaHead fresh{};
  fresh.word.store(kFreshWord);
  BOOST_TEST(is_whole_head(bytes_of(fresh).data()));
  BOOST_TEST(is_whole_tail(kFreshWord, zeros.data()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
