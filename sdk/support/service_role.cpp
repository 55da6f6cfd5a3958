#include "sdk/support/service_role.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "sdk/support/json_value_text.hpp"
#include "sdk/support/role_keys.hpp"
#include "slipway/error.hpp"

namespace slipway {

namespace json = boost::json;

bool is_service(const Role& role) {
  if (role.metadata_json.find(kServiceKey) == std::string::npos) return false;
  const json::object metadata = metadata_of(role);
  const json::value* const value = metadata.if_contains(kServiceKey);
  if (value == nullptr) return false;
  if (!value->is_bool()) {
    throw Error(Code::kInvalid,
                std::string(kServiceKey) + " must be a boolean, not " + json_value_text(*value),
                "write true or false", role.name);
  }
  return value->get_bool();
}

void check_services(const AppDef& app) {
  if (app.roles.empty() || !std::all_of(app.roles.begin(), app.roles.end(), is_service)) return;
  throw Error(Code::kInvalid, "every role of the app is a service, so the app would never end",
              "a service runs until all roles that are not services have ended; one role must not "
              "be a service");
}

}  // namespace slipway
