#include "core/cli/terminal/diagnostics.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::cli {
namespace {

BOOST_AUTO_TEST_SUITE(Diagnostics)

BOOST_AUTO_TEST_CASE(later_lines_of_a_text_do_not_look_like_messages) {
  BOOST_TEST(with_indented_lines("one line") == "one line");
  BOOST_TEST(with_indented_lines("set HQ_HOST\nor hq_host\n\n") == "set HQ_HOST\n  or hq_host");
  BOOST_TEST(with_indented_lines("\n") == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
