// Splits the argument of `log` into its parts. Without a session, TorchX uses the session
// `default`, and Slipway that of the caller.

#include "core/cli/apps/log_identifier.hpp"

#include "slipway/error.hpp"
#include "tests/vectors/kinds.hpp"

namespace slipway::vectors {

json::value run_log_identifier(VectorCase& one, Bench&) {
  const std::string identifier = text_member(one.input, "identifier");
  try {
    const cli::ReplicaSelection log = cli::parse_log_identifier(identifier, "default");
    json::object out = {{"valid", true},
                        {"scheduler", log.app.scheduler},
                        {"session", log.app.session},
                        {"app_id", log.app.app_id},
                        {"role", nullptr},
                        {"replica_ids", nullptr}};
    if (log.role) out["role"] = *log.role;
    if (!log.replicas.empty())
      out["replica_ids"] = json::array(log.replicas.begin(), log.replicas.end());
    return out;
  } catch (const Error& error) {
    if (error.code() != Code::kUsage) throw;
    return json::object{{"valid", false}};
  }
}

}  // namespace slipway::vectors
