// Encodes and decodes the index of finished apps, including damaged and forged ones.
#include "plugins/local/engine/finished_index.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "sdk/support/checksum.hpp"

namespace slipway::local {
namespace {

// Offsets in an index.
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kCrcAt = 12;
constexpr std::size_t kSizeAt = 16;
constexpr std::size_t kCountAt = 24;
constexpr std::size_t kFirstEntry = 32;
constexpr std::size_t kStateAt = kFirstEntry + 32;
constexpr std::size_t kLengthsAt = kFirstEntry + 36;  // of the four texts of an entry

ListedApp app(std::string_view app_id, AppState state, std::uint64_t inode) {
  return {"sess", app_id, "a name", "local_cwd", state, 1, 2, 3, inode, 4, 5};
}

std::string three_apps() {
  return finished_index_bytes({app("one", AppState::kSucceeded, 11),
                               app("two", AppState::kFailed, 12),
                               app("three", AppState::kCancelled, 13)});
}

/// Returns `bytes` with `value` at `at` and a matching checksum.
template <typename T>
std::string forged(std::string bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  std::uint32_t crc = 0;
  std::memcpy(bytes.data() + kCrcAt, &crc, sizeof crc);
  crc = crc32(bytes);
  std::memcpy(bytes.data() + kCrcAt, &crc, sizeof crc);
  return bytes;
}

BOOST_AUTO_TEST_SUITE(LocalEngineFinishedIndex)

BOOST_AUTO_TEST_CASE(returns_the_values_of_an_entry) {
  const FinishedIndex index(three_apps());
  BOOST_TEST(index.size() == 3U);
  const auto two = index.find("sess", "two", 12);
  BOOST_TEST_REQUIRE(two.has_value());
  BOOST_TEST(two->session == "sess");
  BOOST_TEST(two->app_id == "two");
  BOOST_TEST(two->name == "a name");
  BOOST_TEST(two->scheduler == "local_cwd");
  BOOST_TEST((two->state == AppState::kFailed));
  BOOST_TEST(two->submitted_ns == 1);
  BOOST_TEST(two->started_ns == 2);
  BOOST_TEST(two->finished_ns == 3);
  BOOST_TEST(two->inode == 12U);
  BOOST_TEST(two->order == 4);
  BOOST_TEST(two->machine_tag == 5U);
}

BOOST_AUTO_TEST_CASE(finds_an_app_only_by_its_session_id_and_inode) {
  const FinishedIndex index(three_apps());
  BOOST_TEST(!index.find("other", "two", 12).has_value());
  BOOST_TEST(!index.find("sess", "one", 12).has_value());
  BOOST_TEST(!index.find("sess", "two", 14).has_value());
  BOOST_TEST(!index.find("sess", "tw", 12).has_value());
  BOOST_TEST(!index.find("", "", 12).has_value());
}

BOOST_AUTO_TEST_CASE(contains_only_finished_apps) {
  const FinishedIndex index(
      finished_index_bytes({app("one", AppState::kRunning, 11), app("two", AppState::kFailed, 12),
                            app("three", AppState::kSubmitted, 13)}));
  BOOST_TEST(index.size() == 1U);
  BOOST_TEST(index.find("sess", "two", 12).has_value());
}

BOOST_AUTO_TEST_CASE(may_be_empty) {
  BOOST_TEST(FinishedIndex(finished_index_bytes({})).size() == 0U);
  BOOST_TEST(FinishedIndex().size() == 0U);
}

BOOST_AUTO_TEST_CASE(keeps_names_of_any_length_and_bytes) {
  const std::string name(100'000, '\xff');
  const std::string odd("a\0b\n", 4);
  ListedApp one = app(odd, AppState::kFailed, ~std::uint64_t{0});
  one.name = name;
  one.scheduler = {};
  const FinishedIndex index(finished_index_bytes({one, app("two", AppState::kFailed, 0)}));
  const auto found = index.find("sess", odd, ~std::uint64_t{0});
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST((found->name == name));
  BOOST_TEST(found->scheduler.empty());
  BOOST_TEST(index.find("sess", "two", 0).has_value());
}

BOOST_AUTO_TEST_CASE(truncated_index_is_empty) {
  const std::string good = three_apps();
  for (std::size_t size = 0; size < good.size(); ++size) {
    BOOST_TEST(FinishedIndex(good.substr(0, size)).size() == 0U);
    if (size < kFirstEntry) continue;
    const auto claimed = static_cast<std::uint64_t>(size);
    BOOST_TEST(FinishedIndex(forged(good.substr(0, size), kSizeAt, claimed)).size() == 0U);
  }
  BOOST_TEST(FinishedIndex(good + '\0').size() == 0U);
}

BOOST_AUTO_TEST_CASE(index_with_a_changed_bit_in_any_byte_is_empty) {
  const std::string good = three_apps();
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int bit : {1, 128}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ bit);
      BOOST_TEST(FinishedIndex(bad).size() == 0U);
    }
  }
}

BOOST_AUTO_TEST_CASE(wrong_values_with_a_matching_checksum_are_refused) {
  const std::string good = three_apps();
  BOOST_TEST(FinishedIndex(forged(good, kCountAt, std::uint32_t{3})).size() == 3U);
  for (const std::uint32_t count : {0U, 2U, 4U, 0xFFFFFFFFU})
    BOOST_TEST(FinishedIndex(forged(good, kCountAt, count)).size() == 0U);
  for (const std::uint32_t version : {0U, 1U, 3U, 0xFFFFFFFFU}) {  // 2 is the present one
    const FinishedIndex index(forged(good, kVersionAt, version));
    BOOST_TEST(index.size() == 0U);
    BOOST_TEST(index.is_newer() == (version > 2U));
  }
  // States that are not terminal or do not exist; the lowest byte of one is a terminal state.
  for (const std::uint32_t state : {0U, 3U, 7U, 8U, 256U + 4U, 0xFFFFFFFFU})
    BOOST_TEST(FinishedIndex(forged(good, kStateAt, state)).size() == 0U);
  for (std::size_t field = 0; field < 4; ++field) {
    for (const std::uint32_t length : {1U, 1000U, 0x7FFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFF0U}) {
      const std::size_t at = kLengthsAt + field * sizeof length;
      BOOST_TEST(FinishedIndex(forged(good, at, length)).size() == 0U);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
