// Recognizes variables and settings that hold secrets. Commands redact them when they print an app
// or the configuration, and `lint`, with a few exceptions, warns about them in an app file.
#pragma once

#include <string>
#include <string_view>

#include "core/spec/node.hpp"

namespace slipway::spec {

/// The text that is printed in place of a secret.
inline constexpr const char* kRedacted = "<redacted>";

/// Returns whether a variable of this name holds a secret: API_TOKEN, DB_PASS and BASIC_AUTH do.
/// Ignores case and treats `-` and `.` as `_`. A last word such as SOCK, PATH or TYPE makes a word
/// such as AUTH harmless (SSH_AUTH_SOCK).
bool is_secret_name(std::string_view name);

/// Returns whether `value` contains a URL with a password (postgres://ada:secret@host/db).
bool holds_url_password(std::string_view value);

/// Replaces with kRedacted the value of each key in `value`, at any depth, whose dotted path from
/// `name` on is a secret's name, and each text that contains a URL with a password. `name` is the
/// key of `value` itself, or empty. Returns whether it replaced any.
bool redact_secrets(Node& value, const std::string& name);

}  // namespace slipway::spec
