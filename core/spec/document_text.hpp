// The bytes of a document before they are parsed: read within bounds, and known to be text.
#pragma once

#include <string>
#include <string_view>

#include "core/spec/problem.hpp"

namespace slipway::spec {

/// The content of the regular file `path`, at most kMaxDocumentBytes. Never waits: pipes and
/// devices are refused. Throws Error as read_document() says.
std::string read_text_file(const std::string& path);

/// `text` without a byte order mark. Throws InvalidApp when it is not UTF-8 or holds NUL bytes,
/// Error(kInvalid) when it is too large.
std::string_view checked_text(std::string_view text, const std::string& source);

/// Throws InvalidApp with one problem about the whole document.
[[noreturn]] void refuse(const std::string& source, Mark at, std::string message,
                         std::string hint = {});

}  // namespace slipway::spec
