#include <boost/test/unit_test.hpp>

#include "tests/unit/lint/lint_fixture.hpp"

namespace slipway::lint::test {
namespace {

/// Returns an app with two roles, of which the first has `replicas` replicas.
std::string named(const std::string& app, const std::string& first,
                  const std::string& second = "other", int replicas = 1) {
  return "{\"name\":\"" + app + R"(","roles":[{"entrypoint":"e","num_replicas":)" +
         std::to_string(replicas) + ",\"name\":\"" + first + R"("},{"entrypoint":"e","name":")" +
         second + "\"}]}";
}

BOOST_AUTO_TEST_SUITE(NameRules)

BOOST_AUTO_TEST_CASE(names_that_clusters_refuse_are_found) {
  for (const char* name : {"two words", "-x", "x-", "_x", "a,b", "\xC3\xA9t\xC3\xA9", "a:b"}) {
    BOOST_TEST(found(named(name, "r")) == Strings{"name unportable-name"},
               boost::test_tools::per_element());
    BOOST_TEST(found(named("a", name)) == Strings{"roles[0].name unportable-name"},
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(names_that_schedulers_can_convert_are_accepted) {
  for (const char* name : {"trainer", "Trainer", "trainer_1", "trainer.1", "1", "a-b"}) {
    BOOST_TEST(found(named(name, name)) == Strings{}, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(appended_suffix_counts_toward_the_length) {
  // Clusters accept 63 bytes, and an app's id has up to 15 more than its name.
  BOOST_TEST(found(named(std::string(48, 'a'), "r")) == Strings{},
             boost::test_tools::per_element());
  BOOST_TEST(found(named(std::string(49, 'a'), "r")) == Strings{"name unportable-name"},
             boost::test_tools::per_element());
  // The longest suffix of 100 replicas is -99, that of 101 replicas is -100.
  const std::string role(60, 'r');
  BOOST_TEST(found(named("a", role, "o", 100)) == Strings{}, boost::test_tools::per_element());
  BOOST_TEST(found(named("a", role, "o", 101)) == Strings{"roles[0].name unportable-name"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(roles_that_get_the_same_name_collide) {
  BOOST_TEST(found(named("a", "trainer_1", "Trainer1")) == Strings{"roles[1].name name-collision"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(invalid_name_gets_no_second_warning) {
  BOOST_TEST(found(named("a", "r", "r")) == Strings{"roles[1].name duplicate-role"},
             boost::test_tools::per_element());
  BOOST_TEST(found(named("a/b", "r")) == Strings{"name invalid-name"},
             boost::test_tools::per_element());
  BOOST_TEST(found(named("", "")) == (Strings{"name missing-field", "roles[0].name missing-field"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::lint::test
