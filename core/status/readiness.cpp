#include "core/status/readiness.hpp"

#include <boost/json.hpp>

namespace slipway {

std::optional<bool> readiness(const ReplicaStatus& replica) {
  if (replica.details_json.empty()) return std::nullopt;
  boost::system::error_code error;
  const boost::json::value details = boost::json::parse(replica.details_json, error);
  if (error || !details.is_object()) return std::nullopt;
  const boost::json::value* const ready = details.get_object().if_contains("ready");
  if (ready == nullptr || !ready->is_bool()) return std::nullopt;
  return ready->get_bool();
}

}  // namespace slipway
