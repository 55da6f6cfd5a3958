// Parses TOML and JSON into a Node tree. Refuses hostile input: too large, too deep, or not text.
#pragma once

#include <string>
#include <string_view>

#include "core/spec/node.hpp"

namespace slipway::spec {

/// The largest document, in bytes (16 MiB). Larger ones are refused before they are parsed.
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{16} << 20;

/// Parses JSON (RFC 8259, no extensions) or TOML 1.0. The root is a table for TOML and any value
/// for JSON. `source` names the text in messages.
///
/// Throws InvalidApp with one problem, placed at the offending character or, where the parser does
/// not name it, near it or at the start of the text, if the text is not well formed, is nested
/// deeper than kMaxDepth (node.hpp), has a key twice in one table, is not UTF-8 or contains a NUL
/// byte. Throws Error(kInvalid) if it is larger than kMaxDocumentBytes. Skips a byte order mark. An
/// empty TOML text is an empty table. Thread safe.
Node parse_json(std::string_view text, const std::string& source);
Node parse_toml(std::string_view text, const std::string& source);

/// Reads the regular file `path` and parses it by its extension, `.toml` or `.json`.
///
/// Throws the Errors of parse_json() or parse_toml(). Also throws kNotFound if the file does not
/// exist, kDenied if the process may not read it, and kInvalid if it is too large, has another
/// extension, is a directory, a pipe or a device (it never waits for one), or if no file can have
/// the path. Throws kTemporary or kInternal if the system fails.
Node read_document(const std::string& path);

}  // namespace slipway::spec
