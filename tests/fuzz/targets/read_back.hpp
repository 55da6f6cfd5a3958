// Checks the promise of every reader of apps: a written app reads back equal.
#pragma once

#include <boost/json/serialize.hpp>
#include <utility>

#include "core/spec/app_file.hpp"
#include "core/spec/app_json.hpp"
#include "core/spec/document.hpp"
#include "tests/fuzz/target.hpp"

namespace slipway::fuzz {

/// Reads an app without validate(). Throws Error.
inline AppDef read_app(spec::Node document) {
  spec::ProblemList problems;
  spec::AppFile file = spec::read_app_document(std::move(document), "input", problems);
  problems.throw_if_errors();
  return std::move(file.app);
}

/// Requires that both apps are equal as JSON.
inline void require_equal(const AppDef& app, const AppDef& again, const char* promise) {
  require(
      boost::json::serialize(spec::to_json(app)) == boost::json::serialize(spec::to_json(again)),
      promise);
}

/// Requires that the app, written as JSON, reads back equal.
inline void require_json_reads_back(const AppDef& app) {
  const std::string text = boost::json::serialize(spec::to_json(app));
  require_equal(app, read_app(spec::parse_json(text, "written")),
                "an app written as JSON reads back");
}

}  // namespace slipway::fuzz
