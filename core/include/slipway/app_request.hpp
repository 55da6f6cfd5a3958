// The request that would be submitted to a scheduler.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "slipway/abi/scheduler.h"

namespace slipway {

namespace registry {
template <class Object, class Table>
class PluginObject;  // internal to Slipway; programs need only the name
}

/// The request that a scheduler made from an app. It can be printed and changed until it is
/// scheduled, which is possible once. Movable, not copyable; may outlive its Runner. Not thread
/// safe. Calling a moved-from request is undefined.
class AppRequest {
 public:
  using Scheduler = registry::PluginObject<slipway_scheduler, slipway_scheduler_vtbl>;

  /// Takes ownership of `request` and keeps its scheduler alive.
  AppRequest(std::shared_ptr<const Scheduler> scheduler, slipway_request* request);
  AppRequest(AppRequest&& other) noexcept;
  AppRequest& operator=(AppRequest&& other) noexcept;
  ~AppRequest();

  using Sink = std::function<void(std::string_view)>;
  /// Passes the request to `sink` as one JSON object with `json`, otherwise as a text for people.
  /// Calls `sink` for each part, because a request may have many megabytes.
  void print(bool json, const Sink& sink) const;
  std::string text() const;
  std::string json() const;

  /// Applies a JSON merge patch (RFC 7386) to json(). Throws Error(kInvalid) and changes nothing if
  /// the result is not a request of this scheduler. Throws kUnimplemented if the scheduler's
  /// requests cannot be changed.
  void patch(std::string_view patch_json);

  const slipway_request* get() const { return request_; }

 private:
  std::shared_ptr<const Scheduler> scheduler_;
  slipway_request* request_;
};

}  // namespace slipway
