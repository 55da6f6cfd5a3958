#include "core/spec/load_app.hpp"

#include <utility>

#include "core/spec/validate.hpp"

namespace slipway::spec {

AppFile load_app_document(Node document, const std::string& source_name,
                          const ResourceResolver& resolver, const ResourceNames& known_names) {
  ProblemList problems;
  AppFile file = read_app_document(std::move(document), source_name, problems);
  validate(file, problems);
  resolve_resources(file, resolver, known_names, problems);
  problems.throw_if_errors();
  file.warnings = problems.warnings();
  return file;
}

}  // namespace slipway::spec
