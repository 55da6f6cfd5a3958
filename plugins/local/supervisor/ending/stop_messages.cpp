#include "plugins/local/supervisor/ending/stop_messages.hpp"

#include <sys/wait.h>

#include "plugins/local/engine/seconds_text.hpp"

namespace slipway::local {
namespace {

std::string failure(AppFiles& files, std::uint32_t index) {
  const ReplicaRecord record = files.state().record(index);
  const int status = record.wait_status.load();
  std::string how(reason_name(static_cast<Reason>(record.reason.load())));
  if (how == "exit") how = "exit code " + std::to_string(WEXITSTATUS(status));
  if (how == "signal") how = "signal " + std::to_string(WTERMSIG(status));
  return files.state().replica_name(index) + " failed (" + how + ')';
}

}  // namespace

std::string fail_fast_message(AppFiles& files, std::uint32_t index) {
  return failure(files, index) + " and the rest of the app was stopped, as fail_fast asks";
}

std::string too_few_message(AppFiles& files, const Replicas& replicas, std::uint32_t index) {
  const std::uint32_t role = files.role_of(index);
  const RoleSpan& span = files.roles()[role];
  return failure(files, index) + ": of " + std::to_string(span.count) + " replicas of " +
         files.locate(index).first->role + ' ' +
         std::to_string(span.count - replicas.failed_in(role)) +
         " can still live, fewer than its min_replicas of " +
         std::to_string(span.rules.min_replicas);
}

std::string app_timeout_message(const LifeRules& rules) {
  return "the app took longer than its app_timeout_s of " + seconds_text(rules.app_timeout_ms) +
         " seconds";
}

}  // namespace slipway::local
