#include "core/cli/output/run_opts_text.hpp"

#include <boost/test/unit_test.hpp>

namespace slipway::cli {
namespace {

BOOST_AUTO_TEST_SUITE(RunOptsText)

BOOST_AUTO_TEST_CASE(required_options_come_first_and_defaults_are_printed) {
  const RunOpts options = {
      {"name", ValueType::kStr, "one\n    two", false, std::string()},
      {"grace", ValueType::kFloat, "s", false, 10.0},
      {"paths", ValueType::kList, "d", false, StrList{"a,b"}},
      {"queue", ValueType::kStr, "q", true, std::monostate{}},
  };
  BOOST_TEST(run_opts_text("slow", options) ==
             "slow\n"
             "  queue (str, required)\n      q\n"
             "  name (str, default \"\")\n      one\n      two\n"
             "  grace (float, default 10.0)\n      s\n"
             "  paths (list, default [\"a,b\"])\n      d\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::cli
