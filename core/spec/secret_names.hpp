// Which variables hold secrets, by their names: those that are redacted when an app is shown, and that do not belong in
// an app file.
#pragma once

#include <string_view>

namespace slipway::spec {

/// What is shown in place of a secret.
inline constexpr const char* kRedacted = "<redacted>";

/// True for names such as API_TOKEN, DB_PASSWORD, AWS_SECRET_ACCESS_KEY; any case, `-` like `_`.
bool is_secret_name(std::string_view name);

}  // namespace slipway::spec
