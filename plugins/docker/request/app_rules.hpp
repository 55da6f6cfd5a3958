// The rules of an app that the engine cannot follow by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/support/rules/retry_rules.hpp"
#include "sdk/support/rules/start_rules.hpp"
#include "slipway/app.hpp"
#include "slipway/run_opts.hpp"

namespace slipway::docker {

/// One role, in the app's order.
struct RoleInApp {
  std::string name;
  std::int32_t replicas = 0;
  rules::RoleRules rules;                  ///< the role's own rules
  std::vector<std::size_t> awaited_roles;  ///< by entry of `order`: index in AppRules::roles
  std::vector<rules::Dependency> order;    ///< the roles that this role waits for, and until when
  rules::ReadyProbe ready;  ///< the readiness probe, with numbers of ports in place of their names
};

struct AppRules {
  rules::LifeRules life;  ///< those of the run options, for the whole app
  std::vector<RoleInApp> roles;
  std::string text;  ///< the text from which rules_in() makes these rules, without `on_end`

  /// Returns the index in `roles` of the role with this name; nullopt if the app has none.
  std::optional<std::size_t> role(std::string_view name) const;
};

/// Adds the run options that set rules.
void declare_rules(RunOpts& options);

/// Returns the rules of the app with these run options. Throws Error kInvalid for an option, or a
/// key of a role, whose value is not allowed, a macro for a port that is 0 in the command of a
/// probe, and an app of services alone.
AppRules rules_for(const AppDef& app, const Cfg& cfg);

/// Returns the rules of a text that rules_for() made, without `on_end`; nullopt for another text.
/// They have at least one role.
std::optional<AppRules> rules_in(std::string_view text);

/// Returns whether the rules need a supervisor. They need none if there is no `on_end`, and
/// restarts of single replicas after any failure are enough, because the engine makes those itself.
bool need_supervisor(const AppRules& rules);

}  // namespace slipway::docker
