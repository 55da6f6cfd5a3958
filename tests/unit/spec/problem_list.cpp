// The problems of one app: which are kept, and which only counted.
#include <boost/test/unit_test.hpp>
#include <string>

#include "core/spec/problem.hpp"

namespace slipway::spec::test {

namespace {

Problem problem(Severity severity, const std::string& key) {
  Problem out;
  out.severity = severity;
  out.key = key;
  out.message = "a message";
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ProblemLists)

BOOST_AUTO_TEST_CASE(beyond_the_limit_only_the_first_error_is_kept) {
  ProblemList problems;
  const std::size_t limit = ProblemList::kMaxProblems;
  for (std::size_t i = 0; i < limit + 7; ++i) problems.add(problem(Severity::kWarning, "w"));
  BOOST_TEST(problems.size() == limit);
  BOOST_TEST(problems.omitted() == 7U);
  problems.add(problem(Severity::kError, "first"));
  problems.add(problem(Severity::kError, "second"));
  BOOST_TEST(problems.size() == limit + 1);
  BOOST_TEST(problems.omitted() == 8U);
  BOOST_TEST(problems.in_order().back().key == "first");
  BOOST_CHECK_THROW(problems.throw_if_errors(), InvalidApp);
}

BOOST_AUTO_TEST_CASE(keys_of_errors_beyond_the_limit_are_known) {
  ProblemList problems([](const Problem& one) { return one.key != "rejected"; });
  problems.add(problem(Severity::kError, "rejected"));
  for (std::size_t i = 0; i < ProblemList::kMaxProblems; ++i)
    problems.add(problem(Severity::kWarning, "w"));
  problems.add(problem(Severity::kError, "first"));  // is kept, although another was rejected
  problems.add(problem(Severity::kError, "second"));
  BOOST_TEST(problems.in_order().back().key == "first");
  BOOST_TEST(problems.omitted() == 1U);
  BOOST_TEST(problems.has_error("second"));
}

BOOST_AUTO_TEST_CASE(second_error_about_a_key_is_dropped) {
  ProblemList problems;
  problems.add(problem(Severity::kError, "name"));
  problems.add(problem(Severity::kError, "name"));
  problems.add(problem(Severity::kWarning, "name"));
  BOOST_TEST(problems.size() == 2U);
  BOOST_TEST(problems.omitted() == 0U);
}

BOOST_AUTO_TEST_CASE(rejected_errors_count_but_are_not_kept) {
  ProblemList problems([](const Problem& one) { return one.message != "rejected"; });
  Problem rejected = problem(Severity::kError, "name");
  rejected.message = "rejected";
  problems.add(rejected);
  problems.add(problem(Severity::kError, "name"));  // the first error about the key explains it
  BOOST_TEST(problems.has_error("name"));
  BOOST_TEST(problems.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::spec::test
