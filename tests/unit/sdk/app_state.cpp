#include "slipway/app_state.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>

namespace slipway {
namespace {

constexpr std::int64_t kStates = 8;

BOOST_AUTO_TEST_SUITE(AppStates)

BOOST_AUTO_TEST_CASE(states_have_names_and_numbers_in_both_directions) {
  for (std::int64_t i = 0; i < kStates; ++i) {
    const auto state = app_state_from(i);
    BOOST_REQUIRE(state.has_value());
    BOOST_TEST((app_state_from(to_string(*state)) == state));
  }
  for (const std::int64_t i : {std::int64_t{-1}, kStates, std::int64_t{1} << 40})
    BOOST_TEST(!app_state_from(i));
  BOOST_TEST(!app_state_from("running"));
  BOOST_TEST(!app_state_from(""));
  BOOST_TEST(to_string(static_cast<AppState>(99)) == "UNKNOWN");
  BOOST_TEST(to_string(static_cast<AppState>(-1)) == "UNKNOWN");
}

BOOST_AUTO_TEST_CASE(three_states_are_terminal_and_they_and_running_are_started) {
  int terminal = 0;
  int started = 0;
  for (std::int64_t i = 0; i < kStates; ++i) {
    terminal += is_terminal(*app_state_from(i)) ? 1 : 0;
    started += is_started(*app_state_from(i)) ? 1 : 0;
  }
  BOOST_TEST(terminal == 3);
  BOOST_TEST(started == 4);
  BOOST_TEST(!is_terminal(AppState::kUnknown));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
