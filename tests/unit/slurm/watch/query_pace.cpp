// Tests the time of the next query about a job. The tests choose all times, and never wait.
#include "plugins/slurm/watch/query_pace.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::slurm::test {
namespace {

using namespace std::chrono_literals;
using Wake = QueryPace::Wake;

struct PaceFixture {
  /// Answers the query that is due, and returns the pause after it.
  QueryPace::Clock::duration answer() {
    const auto asked = pace.next();
    pace.answered(asked, asked);
    return pace.next() - asked;
  }
  /// Lets the pauses grow to their longest.
  void grow_pauses() {
    for (int i = 0; i < 20; ++i) answer();
  }

  const QueryPace::Clock::time_point start = QueryPace::Clock::time_point(1h);
  QueryPace pace{start};
};

BOOST_FIXTURE_TEST_SUITE(Pace, PaceFixture)

BOOST_AUTO_TEST_CASE(pauses_grow_from_one_second_to_thirty) {
  BOOST_TEST((pace.next() - start == 1s));
  auto before = pace.next() - start;
  for (int i = 0; i < 20; ++i) {
    const auto pause = answer();
    BOOST_TEST((pause >= before && pause <= before * 2));
    before = pause;
  }
  BOOST_TEST((before == 30s));
}

BOOST_AUTO_TEST_CASE(an_answer_of_another_process_postpones_the_query) {
  grow_pauses();
  const auto asked = pace.next() - 10s;
  pace.answered(asked, asked);
  BOOST_TEST((pace.next() - asked == 30s));
}

BOOST_AUTO_TEST_CASE(an_answer_is_valid_for_the_length_of_the_pause) {
  grow_pauses();
  const auto now = pace.next();
  BOOST_TEST(pace.accepts(now - 29s, now));
  BOOST_TEST(!pace.accepts(now - 30s, now));
}

BOOST_AUTO_TEST_CASE(the_end_in_the_record_makes_a_query_due_at_once) {
  grow_pauses();
  const auto now = pace.next() - 20s;
  pace.woken(now, Wake::kEnd);
  BOOST_TEST((pace.next() == now));
  BOOST_TEST(!pace.accepts(now - 1ms, now));
  pace.answered(now - 1ms, now);
  BOOST_TEST((pace.next() == now));
}

BOOST_AUTO_TEST_CASE(after_the_end_in_the_record_pauses_are_short_and_grow) {
  grow_pauses();
  pace.woken(pace.next() - 20s, Wake::kEnd);
  const auto first = answer();
  BOOST_TEST((first > 0s && first < 1s));
  BOOST_TEST((answer() > first));
  grow_pauses();
  BOOST_TEST((answer() == 30s));
}

BOOST_AUTO_TEST_CASE(progress_makes_a_query_due_at_once) {
  grow_pauses();
  const auto now = pace.next() - 20s;
  pace.woken(now, Wake::kProgress);
  BOOST_TEST((pace.next() == now));
}

BOOST_AUTO_TEST_CASE(steady_progress_makes_queries_less_frequent) {
  auto now = start;
  int queries = 0;
  for (int i = 0; i < 6000; ++i) {
    now += 100ms;
    pace.woken(now, Wake::kProgress);
    if (pace.next() > now) continue;
    pace.answered(now, now);
    ++queries;
  }
  BOOST_TEST(queries >= 20);  // ten minutes at the longest pause
  BOOST_TEST(queries <= 40);
  // Later progress is noticed at once again.
  grow_pauses();
  now = pace.next() - 20s;
  pace.woken(now, Wake::kProgress);
  BOOST_TEST((pace.next() == now));
}

BOOST_AUTO_TEST_CASE(another_state_starts_with_short_pauses_again) {
  grow_pauses();
  const auto asked = pace.next();
  pace.answered(asked, asked);
  pace.changed(asked);
  BOOST_TEST((pace.next() - asked == 1s));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::slurm::test
