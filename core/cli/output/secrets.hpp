// Hides values that commands must not print.
#pragma once

#include "core/spec/secret_names.hpp"
#include "slipway/app.hpp"

namespace slipway::cli {

using spec::kRedacted;

/// Replaces the values of secret variables (core/spec/secret_names.hpp) in every role. Returns
/// whether it replaced any.
bool redact_secrets(AppDef& app);

}  // namespace slipway::cli
