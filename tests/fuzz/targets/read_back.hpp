// Checks the promise of every reader of apps: a written app reads back equal.
#pragma once

#include <boost/json/serialize.hpp>

#include "core/spec/app_file.hpp"
#include "core/spec/app_json.hpp"
#include "tests/fuzz/target.hpp"

namespace slipway::fuzz {

/// Requires that both apps are equal as JSON.
inline void require_equal(const AppDef& app, const AppDef& again, const char* promise) {
  require(
      boost::json::serialize(spec::to_json(app)) == boost::json::serialize(spec::to_json(again)),
      promise);
}

/// Requires that the app, written as JSON, reads back equal.
inline void require_json_reads_back(const AppDef& app) {
  const std::string text = boost::json::serialize(spec::to_json(app));
  require_equal(app, spec::app_from_json(text, "written"), "an app written as JSON reads back");
}

}  // namespace slipway::fuzz
