#include "core/logs/backlog.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::logs {
namespace {

struct Fixture {
  Backlog backlog{/*tail=*/std::nullopt};
  std::string out;

  void add(std::int32_t replica, TimeNs time, std::string_view text) {
    backlog.add({0, "w", replica, Stream::kCombined, time, text});
  }
  Backlog::Print print() {
    return [this](const LogLine& line) { out.append(line.text); };
  }
};

BOOST_FIXTURE_TEST_SUITE(BacklogLines, Fixture)

BOOST_AUTO_TEST_CASE(lines_come_in_the_order_of_their_times) {
  add(0, 1, "a\n");
  add(0, 4, "d\n");
  add(1, 2, "b\n");
  add(2, 3, "c\n");
  add(1, 5, "e\n");
  BOOST_TEST(backlog.size() == 10u);
  BOOST_TEST(backlog.take_by_time(print()));
  BOOST_TEST(out == "a\nb\nc\nd\ne\n");
  BOOST_TEST(backlog.size() == 0u);
}

BOOST_AUTO_TEST_CASE(lines_of_equal_times_stay_together_by_replica) {
  add(1, 7, "c\n");
  add(0, 7, "a\n");
  add(1, 7, "d\n");
  add(0, 7, "b\n");
  backlog.take_by_time(print());
  BOOST_TEST(out == "a\nb\nc\nd\n");
}

BOOST_AUTO_TEST_CASE(lines_of_a_replica_keep_their_order_when_the_clock_goes_back) {
  add(0, 10, "1\n");
  add(0, 5, "2\n");
  add(1, 9, "first\n");
  add(0, 11, "3\n");
  backlog.take_by_time(print());
  BOOST_TEST(out == "first\n1\n2\n3\n");
}

BOOST_AUTO_TEST_CASE(line_without_a_time_stays_at_the_line_above_it) {
  add(0, std::nullopt, "before\n");  // has no line above it
  add(0, 5, "a\n");
  add(0, std::nullopt, "b\n");
  add(1, 4, "0\n");
  add(1, 6, "c\n");
  BOOST_TEST(backlog.take_by_time(print()));
  BOOST_TEST(out == "0\nbefore\na\nb\nc\n");
}

BOOST_AUTO_TEST_CASE(without_any_time_the_replicas_follow_each_other) {
  add(1, std::nullopt, "c\n");
  add(0, std::nullopt, "a\n");
  add(0, std::nullopt, "b\n");
  BOOST_TEST(!backlog.take_by_time(print()));
  BOOST_TEST(out == "a\nb\nc\n");
}

BOOST_AUTO_TEST_CASE(pieces_of_a_long_line_are_one_line) {
  backlog = Backlog(/*tail=*/1);
  add(0, 1, "old\n");
  add(0, 2, "very ");  // the line has the time of its first piece
  add(0, 4, "long\n");
  add(1, 3, "other\n");
  backlog.take_by_time(print());
  BOOST_TEST(out == "very long\nother\n");
}

BOOST_AUTO_TEST_CASE(pieces_are_joined_by_stream_and_the_line_has_its_place_at_its_end) {
  backlog = Backlog(/*tail=*/2);
  const auto add_to = [&](Stream stream, std::string_view text) {
    backlog.add({0, "w", 0, stream, std::nullopt, text});
  };
  add_to(Stream::kStdout, "P1");
  add_to(Stream::kStderr, "old\n");
  add_to(Stream::kStderr, "err\n");
  add_to(Stream::kStdout, "P2\n");
  BOOST_TEST(backlog.size() == 9u);  // without the line that is no longer in the tail
  backlog.take_by_replica(print());
  BOOST_TEST(out == "err\nP1P2\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::logs
