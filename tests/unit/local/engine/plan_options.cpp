#include "plugins/local/engine/plan_options.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "slipway/error.hpp"
#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

/// Gives every option a value that is not its default.
struct Change {
  void operator()(const Option&, bool& value, Flag) { value = !value; }
  void operator()(const Option&, bool& value, ChosenFlag) { value = !value; }
  template <typename T>
  void operator()(const Option&, T& value, Count) {
    value = 7;
  }
  void operator()(const Option&, double& value, Real range) { value = range.most; }
  void operator()(const Option&, std::int64_t& ms, Seconds) { ms = 1234; }
  void operator()(const Option&, std::int64_t& bytes, Mebibytes) { bytes = 3 << 20; }
  void operator()(const Option&, RetryFilter& filter, FailureList) {
    filter = {.any = false,
              .exit_codes = {3, 4},
              .signals = {9},
              .oom = true,
              .lost = true,
              .timeout = true,
              .not_ready = true};
  }
  void operator()(const Option&, std::string& value, Text) { value = "other"; }
  void operator()(const Option&, Backoff& backoff, BackoffParts) { visit_parts(*this, backoff); }
};

/// Collects the names and values of all options in a text.
struct Listing {
  std::string text;

  template <typename T, typename Kind>
  void operator()(const Option& option, const T& value, Kind) {
    text += std::string(option.name) + '=';
    if constexpr (std::is_same_v<T, Backoff>) {
      visit_parts(*this, value);
    } else if constexpr (std::is_same_v<T, RetryFilter>) {
      for (const std::int32_t code : value.exit_codes) text += std::to_string(code) + ',';
      for (const std::int32_t signal : value.signals) text += std::to_string(signal) + ',';
      for (const bool flag : {value.any, value.oom, value.lost, value.timeout, value.not_ready})
        text += flag ? '1' : '0';
    } else if constexpr (std::is_same_v<T, std::string>) {
      text += value;
    } else {
      text += std::to_string(value);
    }
    text += '\n';
  }
};

std::string listed(const LaunchPlan& plan) {
  Listing out;
  visit_life_options(out, plan.rules);
  visit_log_options(out, plan.logs);
  return out.text;
}

bool is_out_of_range(const Error& error) {
  return error.code() == Code::kInvalid &&
         error.message().find("out of range") != std::string::npos;
}

BOOST_AUTO_TEST_SUITE(LocalEnginePlanOptions)

BOOST_AUTO_TEST_CASE(every_option_of_the_plan_survives_encoding_and_decoding) {
  LaunchPlan plan = small_plan("app-1", 1);
  const std::string defaults = listed(plan);
  Change change;
  visit_life_options(change, plan.rules);
  visit_log_options(change, plan.logs);
  plan.logs.combined = true;  // log_pipes and log_max_mb need it
  BOOST_TEST(listed(plan) != defaults);
  // The list and the changes include the parts of `backoff`.
  BOOST_TEST(listed(plan).find("initial=1234\n") != std::string::npos);
  BOOST_TEST(listed(decode_plan(encode_plan(plan))) == listed(plan));
}

BOOST_AUTO_TEST_CASE(plan_with_an_option_out_of_its_range_is_refused) {
  const auto refused = [](auto change) {
    LaunchPlan plan = small_plan("app-1", 1);
    change(plan);
    BOOST_CHECK_EXCEPTION(validate_plan(plan), Error, is_out_of_range);
  };
  refused([](LaunchPlan& p) { p.rules.grace_ms = -1; });
  refused([](LaunchPlan& p) { p.rules.grace_ms = std::int64_t{7} * 24 * 3600 * 1000 + 1; });
  refused([](LaunchPlan& p) { p.rules.timeout_ms = INT64_MAX; });
  refused([](LaunchPlan& p) { p.rules.max_parallel = -1; });
  refused([](LaunchPlan& p) { p.rules.backoff.factor = 0.5; });
  refused([](LaunchPlan& p) { p.rules.backoff.jitter = 0.0 / 0.0; });  // NaN
  refused([](LaunchPlan& p) { p.logs.piece_bytes = 4095; });  // no whole block of a file system
  refused([](LaunchPlan& p) { p.logs.keep_pieces = 0; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
