// Reads an app from the document of an app file, such as that of `slipway run train.toml`.
#pragma once

#include <string>
#include <vector>

#include "core/spec/node.hpp"
#include "core/spec/problem.hpp"
#include "core/spec/table_marks.hpp"
#include "slipway/app.hpp"

namespace slipway::spec {

/// The places of a role's parts in the file. Value::items of `args`, `env`, `port_map` and `mounts`
/// is parallel to this field of the Role.
struct RoleMarks : TableMarks {
  TableMarks resource;  ///< places in `resource` if it is a table
};

/// The name that stands for every scheduler that has the run option: [options."*"].
inline constexpr const char* kEveryScheduler = "*";

/// The place of a run option in an app file: `grace_s` in [options.local_cwd].
struct OptionPlace {
  std::string scheduler;
  std::string option;
  Mark at;
};

struct AppFile {
  AppDef app;
  std::string source;  ///< the file's path as given, or another name for messages
  TableMarks places;   ///< places of the app's fields; of `roles`, the place of the key
  /// Parallel to app.roles: the name in `resource = "NAME"` that resolve_resources() has to
  /// resolve, or empty.
  std::vector<std::string> resource_names;
  std::vector<RoleMarks> marks;  ///< parallel to app.roles
  /// Places of the run options in the app's metadata that came from tables [options.SCHEDULER].
  std::vector<OptionPlace> options;
  std::vector<Problem> warnings;
};

/// Reads an app from a document, whose keys are those of TorchX's dataclasses. `source_name` names
/// it in messages.
///
/// Adds mistakes to `problems`, such as unknown keys, wrong types and numbers out of range; the app
/// then holds the field's default. Throws InvalidApp if the document is not a table or is empty.
/// Does not check names and does not resolve resources: see validate.hpp and resolve_resources.hpp.
/// load_app.hpp does all steps, and fills `warnings`, which this function leaves empty.
AppFile read_app_document(Node document, const std::string& source_name, ProblemList& problems);

}  // namespace slipway::spec
