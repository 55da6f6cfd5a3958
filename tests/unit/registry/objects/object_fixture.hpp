// Helpers of tests that create an object and wrap it as if a loaded library had created it.
#pragma once

#include <memory>
#include <vector>

#include "core/registry/libraries/library.hpp"
#include "slipway/abi/scheduler.h"
#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry::test {

/// Returns the library of the wrapped objects; errors name its id.
inline std::shared_ptr<Library> any_library(const RecordingHost& host) {
  PluginEntry entry;
  entry.id = "org.example.good";
  entry.version = "1.0.0";
  entry.library = bad_plugin("good");
  std::vector<spec::Problem> warnings;
  return Library::load(entry, host.table(), TrustPolicy::of_process(/*elevated=*/false), warnings);
}

/// Records an error as a plug-in does, and returns the status.
inline slipway_status fail(slipway_error* err, slipway_status status, std::string_view message) {
  static const RecordingHost host;
  host.table()->error_set(err, status, {message.data(), message.size()}, {"try again", 9},
                          {nullptr, 0});
  return status;
}

/// Returns whether `call` throws an Error with this code that names the plug-in.
template <class Call>
bool throws(Code code, Call&& call) {
  const Error error = error_of(std::forward<Call>(call));
  return error.code() == code && error.where() == "org.example.good";
}

/// Returns a table with only the functions that a scheduler must have, which do nothing.
inline slipway_scheduler_vtbl minimal_scheduler() {
  slipway_scheduler_vtbl out{};
  out.struct_size = sizeof out;
  out.run_opts = [](auto...) { return slipway_status{SLIPWAY_OK}; };
  out.submit_dryrun = [](auto...) { return slipway_status{SLIPWAY_OK}; };
  out.request_print = [](auto...) { return slipway_status{SLIPWAY_OK}; };
  out.request_free = [](auto...) {};
  out.schedule = [](auto...) { return slipway_status{SLIPWAY_OK}; };
  out.describe = [](auto...) { return slipway_status{SLIPWAY_OK}; };
  out.cancel = [](auto...) { return slipway_status{SLIPWAY_OK}; };
  out.list = [](auto...) { return slipway_status{SLIPWAY_OK}; };
  return out;
}

/// An exception of a callback of the host. It must reach the host's caller unchanged.
struct HostException {};

template <class Call>
bool throws_host_exception(Call&& call) {
  try {
    call();
  } catch (const HostException&) {
    return true;
  }
  return false;
}

}  // namespace slipway::registry::test
