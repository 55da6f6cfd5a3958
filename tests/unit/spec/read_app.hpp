// Reads apps from files and texts, without validation.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/spec/app_file.hpp"
#include "core/spec/document.hpp"

namespace slipway::spec::test {

/// Returns the app and the warnings. Throws InvalidApp with all problems if there is an error.
inline AppFile read_app(Node document, const std::string& source) {
  ProblemList problems;
  AppFile file = read_app_document(std::move(document), source, problems);
  problems.throw_if_errors();
  file.warnings = problems.warnings();
  return file;
}
inline AppFile read_app_file(const std::string& path) {
  return read_app(read_document(path), path);
}
inline AppFile read_app_json(std::string_view text) {
  return read_app(parse_json(text, "stdin"), "stdin");
}

}  // namespace slipway::spec::test
