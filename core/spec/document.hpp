// From a text in TOML or JSON to a Node tree, with every hostile input refused: size, depth, bytes
// that are no text.
#pragma once

#include <string>
#include <string_view>

#include "core/spec/node.hpp"

namespace slipway::spec {

/// Documents above this many bytes (16 MiB) are refused before they are read.
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{16} << 20;

/// Parses JSON (RFC 8259, no extensions) or TOML 1.0. The root is a table for TOML and any value
/// for JSON. `source` names the text in messages.
///
/// Throws InvalidApp with one problem when the text is not well formed (its place is the offending
/// character), nested deeper than kMaxDepth, has a key twice in one table, is not UTF-8 or holds
/// NUL bytes; Error(kInvalid) when it is larger than kMaxDocumentBytes. A byte order mark is
/// skipped; an empty TOML text is an empty table. Thread safe.
Node parse_json(std::string_view text, const std::string& source);
Node parse_toml(std::string_view text, const std::string& source);

/// Reads the regular file `path` and parses it by its extension, `.toml` or `.json`.
///
/// Throws, besides the above: kNotFound when it does not exist, kDenied when it may not be read,
/// kInvalid when it is a directory, a pipe or a device (it is never waited for), too large, or has
/// another extension; kTemporary or kInternal when the system fails.
Node read_document(const std::string& path);

}  // namespace slipway::spec
