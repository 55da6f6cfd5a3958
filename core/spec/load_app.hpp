// Turns a document into an app that can run, and reports all its problems together.
#pragma once

#include <string>

#include "core/spec/app_file.hpp"
#include "core/spec/resolve_resources.hpp"

namespace slipway::spec {

/// Reads and validates an app and resolves its named resources. If there is an error, throws
/// InvalidApp with all errors and warnings, in the order of the document. The result has no
/// unresolved names.
AppFile load_app_document(Node document, const std::string& source_name,
                          const ResourceResolver& resolver, const ResourceNames& known_names);

}  // namespace slipway::spec
