// Reads the app of a case, and writes parts of apps.
#pragma once

#include "core/spec/app_json.hpp"
#include "sdk/support/app_json.hpp"
#include "slipway/app.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {

/// Returns the app of an app file as JSON. Throws Error.
AppDef app_of(const json::value& app);
/// Returns the role of a `[[roles]]` as JSON. Throws Error.
Role role_of(const json::value& role);

/// Returns the member `app` of `input`, an app file as JSON. Throws BenchError if it cannot be
/// read, because that is not the refusal that a case may expect.
AppDef read_app(const json::object& input);

/// Returns a role or mount as JSON, in the shape of TorchX's dataclasses.
template <class Struct>
json::object json_of(const Struct& part) {
  return AppJsonWriter(&spec::parse_object).object(part);
}

}  // namespace slipway::vectors
