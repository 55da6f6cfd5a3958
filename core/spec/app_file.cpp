#include "core/spec/app_file.hpp"

#include <utility>

#include "core/spec/document.hpp"
#include "core/spec/document_text.hpp"
#include "core/spec/known_keys.hpp"
#include "core/spec/role_table.hpp"

namespace slipway::spec {
namespace {

void read_roles(Node& list, const KeyPath& path, FieldReader& reader, AppFile& file) {
  if (!reader.list(list, path, "roles")) return;
  const std::size_t count = list.items.size();
  file.app.roles.resize(count);
  file.marks.resize(count);
  file.resource_names.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    read_role(list.items[i], KeyPath(path, i), reader, file.app.roles[i], file.marks[i],
              file.resource_names[i]);
  }
}

AppFile without_errors(AppFile file, const ProblemList& problems) {
  problems.throw_if_errors();
  file.warnings = problems.warnings();
  return file;
}

}  // namespace

Mark RoleMarks::at(std::string_view field) const {
  for (const auto& [key, mark] : fields) {
    if (key == field) return mark;
  }
  return role;
}

AppFile read_app_document(Node document, const std::string& source_name, ProblemList& problems) {
  AppFile file;
  file.source = source_name;
  FieldReader reader(source_name, problems);
  const KeyPath path;
  if (document.type != NodeType::kTable)
    refuse(source_name, document.at, "expected a table, found " + describe(document));
  if (document.entries.empty()) {
    refuse(source_name, Mark{1, 1}, "the file is empty",
           "an app needs a name and at least one [[roles]]");
  }
  for (NodeEntry& entry : document.entries) {
    const KeyPath here(path, entry.key);
    if (entry.key == "name") {
      file.name_at = entry.value.at;
      reader.string(entry.value, here, file.app.name);
    } else if (entry.key == "roles") {
      file.roles_at = entry.key_at;
      read_roles(entry.value, here, reader, file);
    } else if (entry.key == "metadata") {
      reader.string_dict(entry.value, here, file.app.metadata, file.metadata);
    } else {
      reader.unknown_key(entry, here, app_keys());
    }
  }
  return file;
}

AppFile read_app_file(const std::string& path, ProblemList& problems) {
  return read_app_document(read_document(path), path, problems);
}

AppFile read_app_json(std::string_view text, const std::string& source_name,
                      ProblemList& problems) {
  return read_app_document(parse_json(text, source_name), source_name, problems);
}

AppFile read_app_file(const std::string& path) {
  ProblemList problems;
  AppFile file = read_app_file(path, problems);
  return without_errors(std::move(file), problems);
}

AppFile read_app_json(std::string_view text, const std::string& source_name) {
  ProblemList problems;
  AppFile file = read_app_json(text, source_name, problems);
  return without_errors(std::move(file), problems);
}

}  // namespace slipway::spec
