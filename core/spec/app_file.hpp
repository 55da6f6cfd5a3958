// An app as a file in TOML or JSON: what `slipway run train.toml` reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/resource_table.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// Where the parts of a role stand in the file. The vectors are parallel to those of the role; for
/// env and port_map they have the place of the key.
struct RoleMarks {
  Mark role;                                         ///< where its table starts
  std::vector<std::pair<std::string, Mark>> fields;  ///< value of each key that is written, by key
  std::vector<Mark> args;
  std::vector<Mark> env;
  std::vector<Mark> port_map;
  std::vector<Mark> mounts;
  ResourceMarks resource;

  /// The place of a field's value, or the role's when the field is not written.
  Mark at(std::string_view field) const;
};

struct AppFile {
  AppDef app;
  std::string source;          ///< the file's path as given, or another name for messages
  Mark name_at;                ///< of the app's `name`; line 0 when it is not written
  Mark roles_at;               ///< of `roles`
  std::vector<Mark> metadata;  ///< of its keys, parallel to app.metadata
  /// Parallel to app.roles: the name in `resource = "NAME"` that waits for resolve_resources(), or
  /// empty.
  std::vector<std::string> resource_names;
  std::vector<RoleMarks> marks;  ///< parallel to app.roles
  std::vector<Problem> warnings;
};

/// Reads an app from `path`, by its extension `.toml` or `.json`; both have the same keys, those of
/// TorchX's dataclasses.
///
/// What is wrong with the app (unknown keys, wrong types, numbers out of range) is added to
/// `problems`, and the app has the default there. Throws Error when the file cannot be read,
/// InvalidApp when it is not well formed (document.hpp). Names are not checked and resources not
/// resolved: see validate.hpp, resolve_resources.hpp, and load_app.hpp for all of it at once.
/// `warnings` is left empty.
AppFile read_app_file(const std::string& path, ProblemList& problems);

/// The same for a JSON text; `source_name` names it in messages (`stdin`).
AppFile read_app_json(std::string_view text, const std::string& source_name, ProblemList& problems);

/// The same for a document that is parsed already. Throws InvalidApp when it is no table or an empty one.
AppFile read_app_document(Node document, const std::string& source_name, ProblemList& problems);

/// The same, but throws InvalidApp when there is any error; warnings are in the result.
AppFile read_app_file(const std::string& path);
AppFile read_app_json(std::string_view text, const std::string& source_name);

}  // namespace slipway::spec
