// Checks, with a submitted app, how a scheduler treats newer hosts and other sessions.
#include <string>
#include <utility>

#include "sdk/check/checks/app_roles.hpp"
#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/list_calls.hpp"
#include "sdk/check/host/loaded.hpp"
#include "sdk/check/host/log_calls.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

void app_with_newer_host(const Trial& trial) {
  require_known_version(trial);
  play_newer_host();
  const SchedulerUnderTest scheduler(trial);
  const AppDef app = scheduler.app();
  const std::string id = scheduler.submit(app);
  const SeenApp end = scheduler.wait_for_end(id, "by itself");
  require(end.state == SLIPWAY_STATE_SUCCEEDED, "the app ended as " + state_name(end.state));
  verify_roles(end, app);
  if (scheduler.has(&slipway_scheduler_vtbl::log_open)) read_logs(scheduler, id);
  const Answer late = scheduler.cancel(id, /*now=*/false);
  require_ok("cancel", late.status, late.error);
}

// Throws Broken unless the list of `asked` gives the app `id` with its session; an app of another
// session may be left out. To a host, an item without a session is of the session `asked_session`.
void require_session(const SchedulerUnderTest& asked, const std::string& asked_session,
                     const std::string& id, const std::string& session) {
  const ListedApps listed = list(asked, abi::sized<slipway_list_query>());
  require_ok("list", listed.status, listed.error);
  const auto found = listed.apps.find(id);
  if (session != asked_session && found == listed.apps.end()) return;
  require(found != listed.apps.end(), "list lacks an app of its session");
  const std::string& said = found->second.session;
  require((said.empty() ? asked_session : said) == session,
          "an app of the session \"" + session + "\" is in the list of \"" + asked_session +
              "\" as one of " + (said.empty() ? "no session" : "\"" + said + "\""));
}

void app_sessions(const Trial& trial) {
  const std::string other_session = "other";
  Instance::How how;
  how.session = other_session;
  const SchedulerUnderTest scheduler(trial), other(trial, how);
  const std::string id = scheduler.submit(scheduler.app());
  scheduler.wait_for_end(id, "by itself");
  const std::string other_id = other.submit(other.app());
  other.wait_for_end(other_id, "by itself");
  for (const auto& [one, session] :
       {std::pair(id, std::string(kSession)), std::pair(other_id, other_session)}) {
    require_session(scheduler, kSession, one, session);
    require_session(other, other_session, one, session);
  }
}

}  // namespace

std::vector<Check> app_host_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"app.newer_host",
       kKind,
       Needs::kApp,
       "an app also runs when the host's structs are larger than this version's (R1, R9)",
       "ask SLIPWAY_HAS for fields, and ignore reserved ones",
       &app_with_newer_host,
       {"app.cancel", "app.logs", "provider.newer_host"},
       Remedy::kAlsoForCrash},
      {"app.sessions",
       kKind,
       Needs::kApp,
       "a list leaves out the apps of other sessions, or gives their session (slipway_list_item)",
       "keep the session of slipway_create_args with each app",
       &app_sessions,
       {"app.list"}},
  };
}

}  // namespace slipway::check
