// Hides values that commands print only with --show-secrets.
#pragma once

#include "core/spec/secret_names.hpp"
#include "slipway/app.hpp"

namespace slipway::cli {

using spec::kRedacted;

/// Replaces in every role the values of variables that have a secret's name or contain a URL with a
/// password (core/spec/secret_names.hpp). Returns whether it replaced any.
bool redact_secrets(AppDef& app);

}  // namespace slipway::cli
