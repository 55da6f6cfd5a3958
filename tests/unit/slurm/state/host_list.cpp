#include "plugins/slurm/state/host_list.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace slipway::slurm::test {

BOOST_AUTO_TEST_SUITE(HostList)

BOOST_AUTO_TEST_CASE(list_of_hosts_is_expanded_but_wrong_and_huge_ranges_are_kept) {
  const auto expands_to = [](std::string_view text, const std::vector<std::string>& hosts) {
    return expand_hosts(text) == hosts;
  };
  BOOST_TEST(expands_to("n1", {"n1"}));
  BOOST_TEST(expands_to("n[08-10],gpu7", {"n08", "n09", "n10", "gpu7"}));
  BOOST_TEST(expands_to("r[1-2]n[1,3]", {"r1n1", "r1n3", "r2n1", "r2n3"}));
  BOOST_TEST(expands_to("n[1-x]", {"n[1-x]"}));
  BOOST_TEST(expands_to("n[1-9999999999]", {"n[1-9999999999]"}));
  BOOST_TEST(expands_to("n[0-9999][0-9999]", {"n[0-9999][0-9999]"}));
  BOOST_TEST(expands_to("n[3-1]", {"n[3-1]"}));
  BOOST_TEST(expands_to("a,b[1,x-y],c[1-2]", {"a", "b[1,x-y]", "c1", "c2"}));
  BOOST_TEST(expands_to("n[1-", {"n[1-"}));
  BOOST_TEST(expands_to("n[]", {"n[]"}));
  BOOST_TEST(expands_to("", {}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::slurm::test
