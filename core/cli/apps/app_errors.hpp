// Errors about single apps, for commands that continue with the others.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/cli/apps/app_selection.hpp"
#include "slipway/app_handle.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

/// Keeps the first error of each app.
class AppErrors {
 public:
  /// Calls `act`, except for an app that already has an error. Keeps an Error that `act` throws.
  /// Returns whether the app has no error. Throws the error that ends the command at its time
  /// limit.
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

  /// Calls `act` with each chosen app as run() does. Throws the first error about an app of a
  /// handle that does not exist, because the handle may be misspelt. Returns the apps without
  /// selected ones that have been deleted since, whose errors are not kept.
  template <class Act>
  std::vector<AppHandle> run_each(const ChosenApps& chosen, Act act) {
    std::vector<AppHandle> out;
    for (std::size_t i = 0; i < chosen.apps.size(); ++i) {
      const AppHandle& handle = chosen.apps[i];
      run(handle, [&] { act(handle); });
      if (i < chosen.named || !forget_if_not_found(handle)) out.push_back(handle);
      if (i + 1 == chosen.named) throw_if_not_found();
    }
    return out;
  }

  /// If the error of the app is that it does not exist, removes the error and returns true.
  bool forget_if_not_found(const AppHandle& handle);

  /// Returns the error of the app, or nullptr.
  const Error* of(const AppHandle& handle) const;

  /// Prints each error with the handle of its app. Returns the exit status of the first error, or
  /// kExitOk without errors. If all `app_count` apps of the command have errors, throws the first
  /// error instead of printing it; the error of a single app has no handle in its message.
  int report(std::size_t app_count) const;

 private:
  /// Throws the first error about an app or scheduler that does not exist.
  void throw_if_not_found() const;
  void add(const AppHandle& handle, const Error& error);

  std::vector<std::pair<std::string, Error>> errors_;  // by handle, in the order of add()
};

}  // namespace slipway::cli
