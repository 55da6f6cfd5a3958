// Errors about single apps, for commands that continue with the others.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "slipway/app_handle.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

/// Keeps the first error of each app.
class AppErrors {
 public:
  /// Calls `act` unless an error of the app is known. Keeps an Error that it throws. Returns
  /// whether the app has no error. Throws the error of the time limit of the command.
  template <class Act>
  bool run(const AppHandle& handle, Act act) {
    if (of(handle) != nullptr) return false;
    try {
      act();
      return true;
    } catch (const Error& error) {
      add(handle, error);
      return false;
    }
  }

  /// Returns the error of the app, or nullptr.
  const Error* of(const AppHandle& handle) const;

  /// Throws the first error about an app or scheduler that does not exist.
  void throw_if_not_found() const;

  /// Prints the errors. Returns the exit status of the first one, kExitOk if there is none. Throws
  /// the first error, which names no app if there is only one, if all `apps` apps have errors.
  int report(std::size_t apps) const;

 private:
  void add(const AppHandle& handle, const Error& error);

  std::vector<std::pair<std::string, Error>> errors_;  // by handle, in the order of add()
};

}  // namespace slipway::cli
