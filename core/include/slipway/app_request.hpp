// What a scheduler would be given, before it is given.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace slipway {

namespace registry {
class AdoptedRequest;  // of Slipway itself; a program needs no more than the name
}

/// The request that a scheduler made of an app. May be read and changed until it is scheduled, once. Moved, not copied;
/// may outlive its Runner. Not for several threads at once. A function on one that was moved from is undefined.
class AppRequest {
 public:
  explicit AppRequest(registry::AdoptedRequest request);
  AppRequest(AppRequest&& other) noexcept;
  AppRequest& operator=(AppRequest&& other) noexcept;
  ~AppRequest();

  using Sink = std::function<void(std::string_view)>;
  /// The text for people, or one JSON object, in pieces: a request may have many megabytes.
  void print(bool json, const Sink& sink) const;
  std::string text() const;
  std::string json() const;

  /// Changes the request by a JSON merge patch (RFC 7386) to json(). Throws Error kInvalid, and changes nothing, when the
  /// result is no request of this scheduler; kUnimplemented where the scheduler's requests cannot be changed.
  void patch(std::string_view patch_json);

  const registry::AdoptedRequest& adopted() const { return *request_; }

 private:
  std::unique_ptr<registry::AdoptedRequest> request_;
};

}  // namespace slipway
