// The failures of the library that a program may want to tell apart, by the names that TorchX and TSM have for them.
// Each is a slipway::Error, whose code decides the command's exit status. MalformedAppHandle is in slipway/app_handle.hpp.
#pragma once

#include <string>
#include <utility>

#include "slipway/app_status.hpp"
#include "slipway/error.hpp"

namespace slipway {

/// A run option is missing, of another type, or not a value at all (kInvalid).
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

/// The scheduler does not know the app: it never did, or it has forgotten it (kNotFound).
class UnknownApp : public Error {
 public:
  explicit UnknownApp(const AppHandle& handle)
      : Error(Code::kNotFound, "there is no app " + to_string(handle),
              "`slipway list --all` shows the apps that there are"),
        handle_(handle) {}

  const AppHandle& handle() const noexcept { return handle_; }

 private:
  AppHandle handle_;
};

/// The scheduler did not keep what is needed for running the app a second time (kUnimplemented).
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

/// A runner that is strict about sessions was given the handle of another session, and the app is not attached
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

/// An app that should have succeeded has not (kPrecondition): AppStatus::raise_for_status().
class AppStatusError : public Error {
 public:
  AppStatusError(AppStatus status, std::string why)
      : Error(Code::kPrecondition, std::move(why)), status_(std::move(status)) {}

  const AppStatus& status() const noexcept { return status_; }

 private:
  AppStatus status_;
};

}  // namespace slipway
