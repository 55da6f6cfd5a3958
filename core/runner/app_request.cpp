#include "slipway/app_request.hpp"

#include "core/registry/objects/plugin_scheduler.hpp"

namespace slipway {

AppRequest::AppRequest(registry::PluginRequest request)
    : request_(std::make_unique<registry::PluginRequest>(std::move(request))) {}
AppRequest::AppRequest(AppRequest&& other) noexcept = default;
AppRequest& AppRequest::operator=(AppRequest&& other) noexcept = default;
AppRequest::~AppRequest() = default;

void AppRequest::print(bool json, const Sink& sink) const { request_->print(json, sink); }

std::string AppRequest::text() const { return request_->text(); }

std::string AppRequest::json() const { return request_->json(); }

void AppRequest::patch(std::string_view patch_json) { request_->patch(patch_json); }

}  // namespace slipway
