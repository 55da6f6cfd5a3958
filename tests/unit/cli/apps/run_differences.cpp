#include "core/cli/apps/run_differences.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace slipway::cli {
namespace {

/// Returns the record of a run with one plug-in, whose library has this checksum.
RunRecord run_with_library(const std::string& sha256) {
  RunRecord out;
  out.plugins.push_back({"org.example.one", "1.0", sha256});
  return out;
}

BOOST_AUTO_TEST_SUITE(RunDifferences)

BOOST_AUTO_TEST_CASE(another_library_of_the_same_version_is_a_difference) {
  const std::vector<std::string> lines =
      run_differences(run_with_library("aa"), run_with_library("bb"));
  BOOST_REQUIRE_EQUAL(lines.size(), 1U);
  BOOST_TEST(lines[0] == "the library of org.example.one is another file of the same version");
}

BOOST_AUTO_TEST_CASE(unknown_checksum_of_a_library_is_no_difference) {
  BOOST_TEST(run_differences(run_with_library(""), run_with_library("bb")).empty());
  BOOST_TEST(run_differences(run_with_library("aa"), run_with_library("")).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
