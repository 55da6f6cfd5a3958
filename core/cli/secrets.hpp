// Values that should not be shown.
#pragma once

#include <string_view>

#include "slipway/app.hpp"

namespace slipway::cli {

inline constexpr const char* kRedacted = "<redacted>";

/// True for names such as API_TOKEN, DB_PASSWORD, AWS_SECRET_ACCESS_KEY.
bool is_secret_name(std::string_view name);

/// Replaces the values of secret variables in every role; false when there are none.
bool redact_secrets(AppDef& app);

}  // namespace slipway::cli
