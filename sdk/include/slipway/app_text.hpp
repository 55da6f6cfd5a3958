// Apps as texts, for plug-ins that keep the definition of an app in a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "slipway/abi/host_text.h"
#include "slipway/app.hpp"
#include "slipway/detail/app_views.hpp"
#include "slipway/detail/guard.hpp"
#include "slipway/error.hpp"
#include "slipway/host.hpp"

namespace slipway {
inline namespace sdk_1_0 {

namespace detail {

inline const slipway_host_app_text& app_text_service(const Host& host) {
  const auto* service = host.extension<slipway_host_app_text>(SLIPWAY_HOST_APP_TEXT);
  if (service == nullptr)
    throw Error(Code::kUnimplemented, "the host is too old to write and read apps as texts",
                "update Slipway");
  return *service;
}

}  // namespace detail

/// Returns `app` as JSON in the format of app files, without `scheduler_resources`. Ends the call
/// with the host's error if `metadata`, `capabilities` or `tags` are not JSON objects. Throws Error
/// kUnimplemented if the host does not have the service. [any thread]
inline std::string app_to_text(const Host& host, const AppDef& app, const Call& call) {
  std::string out;
  abi::ok(detail::app_text_service(host).write(host.table(), abi::AppDefView(app).get(),
                                               &abi::assign, &out, call.error()));
  return out;
}

/// Returns the app in a text of app_to_text(), of this version or an earlier one. Ends the call
/// with the host's error if the text is not an app. Throws Error kUnimplemented if the host does
/// not have the service. [any thread]
inline AppDef app_from_text(const Host& host, std::string_view text, const Call& call) {
  std::optional<AppDef> out;
  const auto on_app = [](void* ctx, const slipway_app_def* app) noexcept {
    return abi::guard(nullptr, nullptr,
                      [&] { *static_cast<std::optional<AppDef>*>(ctx) = abi::read(*app); });
  };
  abi::ok(detail::app_text_service(host).read(host.table(), abi::view(text), on_app, &out,
                                              call.error()));
  if (!out) throw Error(Code::kAbi, "the host read an app but did not return it");
  return *std::move(out);
}

}  // namespace sdk_1_0
}  // namespace slipway
