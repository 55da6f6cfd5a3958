// Reads an app from an app file in TOML or JSON, such as `slipway run train.toml` gets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/resource_table.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// The places of a role's parts in the file. The vectors are parallel to those of the role; env and
/// port_map hold the place of the key.
struct RoleMarks {
  Mark role;  ///< start of the role's table
  std::vector<std::pair<std::string, Mark>>
      fields;  ///< place of each value that is present, by key
  std::vector<Mark> args;
  std::vector<Mark> env;
  std::vector<Mark> port_map;
  std::vector<Mark> mounts;
  ResourceMarks resource;

  /// Returns the place of a field's value, or the role's place if the file does not set the field.
  Mark at(std::string_view field) const;
};

struct AppFile {
  AppDef app;
  std::string source;          ///< the file's path as given, or another name for messages
  Mark name_at;                ///< place of the app's `name`; line 0 if the file has none
  Mark roles_at;               ///< place of `roles`
  std::vector<Mark> metadata;  ///< places of the metadata keys, parallel to app.metadata
  /// Parallel to app.roles: the name in `resource = "NAME"` that resolve_resources() has to
  /// resolve, or empty.
  std::vector<std::string> resource_names;
  std::vector<RoleMarks> marks;  ///< parallel to app.roles
  std::vector<Problem> warnings;
};

/// Reads an app from `path`. The extension `.toml` or `.json` selects the format; both have the
/// same keys, those of TorchX's dataclasses.
///
/// Adds unknown keys, wrong types and numbers out of range to `problems`; the app then holds the
/// field's default. Throws Error if the file cannot be read and InvalidApp if it is not well formed
/// (document.hpp). Does not check names and does not resolve resources: see validate.hpp and
/// resolve_resources.hpp, or load_app.hpp for all steps. Leaves `warnings` empty.
AppFile read_app_file(const std::string& path, ProblemList& problems);

/// Does the same for a JSON text; `source_name` names it in messages (`stdin`).
AppFile read_app_json(std::string_view text, const std::string& source_name, ProblemList& problems);

/// Does the same for a parsed document. Also throws InvalidApp if the document is not a table or is
/// empty.
AppFile read_app_document(Node document, const std::string& source_name, ProblemList& problems);

/// Does the same, but throws InvalidApp on any error and returns the warnings in the result.
AppFile read_app_file(const std::string& path);
AppFile read_app_json(std::string_view text, const std::string& source_name);

}  // namespace slipway::spec
