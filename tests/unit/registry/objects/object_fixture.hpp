// For tests that wrap objects of their own, as if a loaded library had created them.
#pragma once

#include <memory>
#include <vector>

#include "core/registry/libraries/library.hpp"
#include "tests/unit/registry/registry_fixture.hpp"

namespace slipway::registry::test {

/// Returns the library of the wrapped objects; errors name its id.
inline std::shared_ptr<Library> any_library(const RecordingHost& host) {
  PluginEntry entry;
  entry.id = "org.example.good";
  entry.version = "1.0.0";
  entry.library = bad_plugin("good");
  std::vector<spec::Problem> warnings;
  return Library::load(entry, host.table(), TrustPolicy::of_process(false), warnings);
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

/// An exception of a callback of the host, which must reach the host's caller unchanged.
struct HostsOwn {};

template <class Call>
bool throws_hosts_own(Call&& call) {
  try {
    call();
  } catch (const HostsOwn&) {
    return true;
  }
  return false;
}

}  // namespace slipway::registry::test
