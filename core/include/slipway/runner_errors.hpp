// The errors of the library that a program may want to distinguish, with the names of TorchX and
// its ancestor TSM. Each is a slipway::Error, whose code decides the command's exit status.
// MalformedAppHandle is in slipway/app_handle.hpp.
#pragma once

#include <string>
#include <utility>

#include "slipway/app_status.hpp"
#include "slipway/error.hpp"

namespace slipway {

/// A run option is missing, has the wrong type, or is a path that starts with `~` (kInvalid). For
/// other invalid values, the scheduler throws a plain Error.
class InvalidRunConfig : public Error {
 public:
  explicit InvalidRunConfig(const Error& why)
      : Error(Code::kInvalid, why.message(), why.hint(), why.where()) {}
};

/// No plug-in provides a scheduler of that name (kNotFound).
class UnknownScheduler : public Error {
 public:
  explicit UnknownScheduler(const Error& why)
      : Error(Code::kNotFound, why.message(), why.hint(), why.where()) {}
};

/// The scheduler does not know the app, or no longer knows it (kNotFound).
class UnknownApp : public Error {
 public:
  explicit UnknownApp(const AppHandle& handle)
      : Error(Code::kNotFound, "there is no app " + to_string(handle),
              "`slipway list --all` shows all apps"),
        handle_(handle) {}

  const AppHandle& handle() const noexcept { return handle_; }

 private:
  AppHandle handle_;
};

/// The scheduler did not keep the app, so it cannot run again (kUnimplemented).
class AppNotReRunnable : public Error {
 public:
  explicit AppNotReRunnable(const AppHandle& handle)
      : Error(Code::kUnimplemented,
              "the scheduler " + handle.scheduler + " did not keep the app " + handle.app_id,
              "run it from its app file"),
        handle_(handle) {}

  const AppHandle& handle() const noexcept { return handle_; }

 private:
  AppHandle handle_;
};

/// A runner with strict sessions got the handle of another session, and the app is not attached
/// (kPrecondition).
class SessionMismatch : public Error {
 public:
  SessionMismatch(const AppHandle& handle, const std::string& session)
      : Error(Code::kPrecondition,
              to_string(handle) + " belongs to another session than this one, " + session,
              "attach the app to this session first"),
        handle_(handle) {}

  const AppHandle& handle() const noexcept { return handle_; }

 private:
  AppHandle handle_;
};

/// AppStatus::raise_for_status() found that the app did not succeed (kPrecondition).
class AppStatusError : public Error {
 public:
  AppStatusError(AppStatus status, std::string why)
      : Error(Code::kPrecondition, std::move(why)), status_(std::move(status)) {}

  const AppStatus& status() const noexcept { return status_; }

 private:
  AppStatus status_;
};

}  // namespace slipway
