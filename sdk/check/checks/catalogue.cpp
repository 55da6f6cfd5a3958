#include <iterator>

#include "sdk/check/checks/groups.hpp"

namespace slipway::check {

const std::vector<Check>& catalogue() {
  static const std::vector<Check> all = [] {
    std::vector<Check> out;
    // The checks of a file follow those on which they depend (Check::after).
    for (auto group : {&load_checks,           &provider_checks,
                       &scheduler_checks,      &scheduler_request_checks,
                       &scheduler_view_checks, &image_checks,
                       &image_cache_checks,    &resource_checks,
                       &component_checks,      &workspace_checks,
                       &limit_checks,          &app_checks,
                       &app_end_checks,        &app_state_checks,
                       &app_owner_checks,      &app_program_checks,
                       &app_definition_checks, &app_log_checks,
                       &app_host_checks,       &app_process_checks,
                       &app_blocking_checks,   &signal_checks,
                       &unknown_order_checks}) {
      std::vector<Check> checks = group();
      out.insert(out.end(), std::make_move_iterator(checks.begin()),
                 std::make_move_iterator(checks.end()));
    }
    return out;
  }();
  return all;
}

}  // namespace slipway::check
