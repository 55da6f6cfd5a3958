// The whole way from a file to an app that can be run, with all problems at once.
#pragma once

#include <string>
#include <string_view>

#include "core/spec/app_file.hpp"
#include "core/spec/resolve_resources.hpp"

namespace slipway::spec {

/// Reads, validates and resolves. Throws InvalidApp with every problem of the file in its order, or
/// Error when it cannot be read at all. The result has no unresolved names.
AppFile load_app_file(const std::string& path, const ResourceResolver& resolver,
                      const ResourceNames& known_names);
AppFile load_app_json(std::string_view text, const std::string& source_name,
                      const ResourceResolver& resolver, const ResourceNames& known_names);
AppFile load_app_document(Node document, const std::string& source_name,
                          const ResourceResolver& resolver, const ResourceNames& known_names);

}  // namespace slipway::spec
