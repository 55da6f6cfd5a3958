// The request that would be submitted to a scheduler.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace slipway {

namespace registry {
class PluginRequest;  // internal to Slipway; programs need only the name
}

/// The request that a scheduler made from an app. It can be printed and changed until it is
/// scheduled, which is possible once. Movable, not copyable; may outlive its Runner. Not thread
/// safe. Calling a moved-from request is undefined.
class AppRequest {
 public:
  explicit AppRequest(registry::PluginRequest request);
  AppRequest(AppRequest&& other) noexcept;
  AppRequest& operator=(AppRequest&& other) noexcept;
  ~AppRequest();

  using Sink = std::function<void(std::string_view)>;
  /// Passes the text for people, or one JSON object, to `sink` in parts: a request may have many
  /// megabytes.
  void print(bool json, const Sink& sink) const;
  std::string text() const;
  std::string json() const;

  /// Applies a JSON merge patch (RFC 7386) to json(). Throws Error(kInvalid) and changes nothing if
  /// the result is not a request of this scheduler. Throws kUnimplemented if the scheduler's
  /// requests cannot be changed.
  void patch(std::string_view patch_json);

  const registry::PluginRequest& plugin_request() const { return *request_; }

 private:
  std::unique_ptr<registry::PluginRequest> request_;
};

}  // namespace slipway
