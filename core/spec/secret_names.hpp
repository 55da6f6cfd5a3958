// Which variables hold secrets: those that are redacted when an app is shown, and that do not
// belong in an app file.
#pragma once

#include <string_view>

namespace slipway::spec {

/// What is shown in place of a secret.
inline constexpr const char* kRedacted = "<redacted>";

/// Returns whether the name says so: API_TOKEN, DB_PASS, BASIC_AUTH; any case, `-` and `.` like
/// `_`. A last word such as SOCK, PATH or TYPE means that a word before it, as AUTH, is no secret
/// (SSH_AUTH_SOCK).
bool is_secret_name(std::string_view name);

/// Returns whether `value` holds a URL with a password (postgres://ada:secret@host/db), under
/// whatever name.
bool holds_url_password(std::string_view value);

}  // namespace slipway::spec
