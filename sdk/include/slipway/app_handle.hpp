// App handles, the names of apps for users.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "slipway/error.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// `<scheduler>://<session>/<app_id>`.
struct AppHandle {
  std::string scheduler;
  std::string session;  ///< may be empty
  std::string app_id;

  friend bool operator==(const AppHandle& a, const AppHandle& b) {
    return a.scheduler == b.scheduler && a.session == b.session && a.app_id == b.app_id;
  }
  friend bool operator!=(const AppHandle& a, const AppHandle& b) { return !(a == b); }
};

/// Returns the handle as `<scheduler>://<session>/<app_id>`.
inline std::string to_string(const AppHandle& handle) {
  return handle.scheduler + "://" + handle.session + "/" + handle.app_id;
}

/// Returns the handle as a text, like TorchX's `make_app_handle`.
inline std::string make_app_handle(std::string scheduler, std::string session, std::string app_id) {
  return to_string(AppHandle{std::move(scheduler), std::move(session), std::move(app_id)});
}

/// Reports a text that is not an app handle (kUsage).
class MalformedAppHandle : public Error {
 public:
  explicit MalformedAppHandle(std::string_view text)
      : Error(Code::kUsage, "'" + std::string(text) + "' is not an app handle",
              "write <scheduler>://<session>/<app id>, as `slipway run` and `slipway list` print "
              "it") {}
};

namespace detail {

/// Splits the text after `://` at the last slash that has an app id after it. Returns nullopt if
/// there is no such slash.
inline std::optional<AppHandle> split_handle(std::string_view scheduler, std::string_view rest) {
  if (rest.size() < 2) return std::nullopt;
  const std::size_t slash = rest.rfind('/', rest.size() - 2);
  if (slash == std::string_view::npos) return std::nullopt;
  return AppHandle{std::string(scheduler), std::string(rest.substr(0, slash)),
                   std::string(rest.substr(slash + 1))};
}

}  // namespace detail

/// Returns the parts of a handle, like TorchX's `parse_app_handle`. Scheduler and app id are not
/// empty. Each part is as long as possible, from left to right: in `a://b://c/d`, the scheduler is
/// `a://b`. The handle ends at the first line break. The parts may contain slashes and `..`, so
/// they must not be used as paths. Throws MalformedAppHandle for any other text. [any thread]
inline AppHandle parse_app_handle(std::string_view text) {
  constexpr std::string_view kSeparator = "://";
  const std::string_view line = text.substr(0, text.find('\n'));
  for (std::size_t at = line.rfind(kSeparator); at != std::string_view::npos && at > 0;
       at = line.rfind(kSeparator, at - 1)) {
    if (auto handle = detail::split_handle(line.substr(0, at), line.substr(at + kSeparator.size())))
      return *std::move(handle);
  }
  throw MalformedAppHandle(text);
}

}  // namespace sdk_1_0
}  // namespace slipway
