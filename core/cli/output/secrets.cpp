#include "core/cli/output/secrets.hpp"

namespace slipway::cli {

bool redact_secrets(AppDef& app) {
  bool found = false;
  for (Role& role : app.roles) {
    for (auto& [name, value] : role.env) {
      if (!spec::is_secret_name(name) && !spec::holds_url_password(value)) continue;
      value = kRedacted;
      found = true;
    }
  }
  return found;
}

}  // namespace slipway::cli
