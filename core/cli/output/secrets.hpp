// Hides values that commands print only with --show-secrets.
#pragma once

#include <string_view>

#include "core/spec/secret_names.hpp"
#include "slipway/app.hpp"
#include "slipway/options.hpp"
#include "slipway/run_record.hpp"

namespace slipway::cli {

using spec::kRedacted;

/// Replaces in every role the values of variables that have a secret's name or contain a URL with a
/// password (core/spec/secret_names.hpp), and in the app's metadata the values with such a URL.
/// Returns whether it replaced any.
bool redact_secrets(AppDef& app);

/// Replaces the secrets in run options, and labels and the source of the workspace if they contain
/// a URL with a password. Returns whether it replaced any.
bool redact_secrets(RunRecord& record);

/// Replaces the value of a run option in the same way: the whole value if `name` is that of a
/// secret, or if the value is a text with such a URL; of a list or dictionary, otherwise only the
/// entries that are secrets. Returns whether it replaced any.
bool redact_secrets(Value& value, std::string_view name);

}  // namespace slipway::cli
