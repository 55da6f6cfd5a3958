#include "slipway/app_request.hpp"

#include <utility>

#include "core/registry/objects/plugin_object.hpp"

namespace slipway {

AppRequest::AppRequest(std::shared_ptr<const Scheduler> scheduler, slipway_request* request)
    : scheduler_(std::move(scheduler)), request_(request) {}

AppRequest::AppRequest(AppRequest&& other) noexcept
    : scheduler_(std::move(other.scheduler_)), request_(std::exchange(other.request_, nullptr)) {}

AppRequest& AppRequest::operator=(AppRequest&& other) noexcept {
  std::swap(scheduler_, other.scheduler_);
  std::swap(request_, other.request_);
  return *this;
}

AppRequest::~AppRequest() {
  if (request_ != nullptr) {
    scheduler_->call_noexcept(
        "request_free", [this] { scheduler_->table().request_free(scheduler_->get(), request_); });
  }
}

void AppRequest::print(bool json, const Sink& sink) const {
  registry::Callback on_text([&](slipway_str piece) { sink(abi::text(piece)); });
  scheduler_->call("request_print", on_text, [&](slipway_error* err) {
    return scheduler_->table().request_print(scheduler_->get(), request_,
                                             json ? SLIPWAY_PRINT_JSON : SLIPWAY_PRINT_TEXT,
                                             on_text, &on_text, err);
  });
}

std::string AppRequest::text() const {
  std::string out;
  print(false, [&](std::string_view piece) { out.append(piece); });
  return out;
}

std::string AppRequest::json() const {
  std::string out;
  print(true, [&](std::string_view piece) { out.append(piece); });
  return out;
}

void AppRequest::patch(std::string_view patch_json) {
  const auto function =
      scheduler_->need(&slipway_scheduler_vtbl::request_patch, "change a request");
  scheduler_->call("request_patch", [&](slipway_error* err) {
    return function(scheduler_->get(), request_, abi::view(patch_json), err);
  });
}

}  // namespace slipway
