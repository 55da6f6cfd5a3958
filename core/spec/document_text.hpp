// Reads the bytes of a document within bounds and checks that they are text, before the parsers see
// them.
#pragma once

#include <string>
#include <string_view>

#include "core/spec/problem.hpp"

namespace slipway::spec {

/// Returns the content of the regular file `path`, at most kMaxDocumentBytes. Never waits: refuses
/// pipes and devices. Throws as read_document() does for a file that cannot be read.
std::string read_text_file(const std::string& path);

/// Returns `text` without a byte order mark. Throws InvalidApp if it is not UTF-8 or contains a NUL
/// byte, Error(kInvalid) if it is too large.
std::string_view checked_text(std::string_view text, const std::string& source);

/// Throws InvalidApp with one problem at this place, which is about no single key.
[[noreturn]] void refuse(const std::string& source, Mark at, std::string message,
                         std::string hint = {});

}  // namespace slipway::spec
