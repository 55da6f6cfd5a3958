// An image provider of any plug-in, for a scheduler plug-in that runs images. The host opens it by
// name or by URL.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "slipway/abi/host.h"
#include "slipway/abi/image_provider.h"
#include "slipway/detail/app_views.hpp"
#include "slipway/detail/guard.hpp"
#include "slipway/host.hpp"
#include "slipway/image_provider.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// An image provider that the host opened. If a function of the provider fails, the host's current
/// call ends with the provider's message. Throws kAbi if a provider returns neither a result nor an
/// error (entrypoint() then returns that of the role), and kUnimplemented if it lacks the required
/// `resolve` or `fetch`. The optional abilities of the provider are not available. Calls on one
/// object must not overlap. The object must not outlive the plug-in's object that created it.
class HostedImageProvider : public ImageProvider {
 public:
  /// `name` is a provider's name, or an image with a scheme (`archive:///srv/x.tar`). If no plug-in
  /// has the provider, ends the call with the host's error. Throws kUnimplemented if the host does
  /// not have the service.
  HostedImageProvider(const Host& from, std::string_view name, const Call& call)
      : ImageProvider(from, CreateArgs{}),
        service_(from.extension<slipway_host_image_providers>(SLIPWAY_HOST_IMAGE_PROVIDERS)) {
    if (service_ == nullptr)
      throw Error(Code::kUnimplemented, "the host offers no image providers");
    abi::ok(
        service_->open(host().table(), call.context(), abi::view(name), &provider_, call.error()));
  }
  ~HostedImageProvider() override {
    if (provider_ != nullptr) service_->close(host().table(), provider_);
  }

  std::string resolve(std::string_view image, const Call& call) override {
    Answer answer;
    need(&slipway_image_provider_vtbl::resolve, "resolve images");
    abi::ok(table().resolve(provider_, call.context(), abi::view(image), &on_image, &answer,
                            call.error()));
    return root_of(answer, "resolve");
  }

  std::string fetch(std::string_view image, const Call& call) override {
    Answer answer;
    need(&slipway_image_provider_vtbl::fetch, "fetch images");
    abi::ok(table().fetch(provider_, call.context(), abi::view(image), &on_image, &answer,
                          call.error()));
    return root_of(answer, "fetch");
  }

  std::string fetch_role(const Role& role, StrDict& env, const Call& call) override {
    if (!has(&slipway_image_provider_vtbl::fetch_role))
      return ImageProvider::fetch_role(role, env, call);
    Answer answer;
    const abi::RoleView view(role);
    abi::ok(table().fetch_role(provider_, call.context(), view.get(), &on_image, &answer,
                               call.error()));
    std::string root = root_of(answer, "fetch_role");
    for (auto& entry : answer.param.env) env.push_back(std::move(entry));
    return root;
  }

  std::string entrypoint(std::string_view img_root, const Role& role, const Call& call) override {
    if (!has(&slipway_image_provider_vtbl::get_entrypoint))
      return ImageProvider::entrypoint(img_root, role, call);
    Answer answer;
    const abi::RoleView view(role);
    abi::ok(table().get_entrypoint(provider_, call.context(), abi::view(img_root), view.get(),
                                   &on_text, &answer, call.error()));
    return std::move(answer.text).value_or(role.entrypoint);
  }

  std::optional<std::string> cwd(std::string_view image, const Call& call) override {
    if (!has(&slipway_image_provider_vtbl::get_cwd)) return ImageProvider::cwd(image, call);
    Answer answer;
    abi::ok(table().get_cwd(provider_, call.context(), abi::view(image), &on_text, &answer,
                            call.error()));
    return std::move(answer.text);
  }

  ReplicaParam replica_param(std::string_view img_root, const Role& role,
                             const Call& call) override {
    if (!has(&slipway_image_provider_vtbl::get_replica_param))
      return ImageProvider::replica_param(img_root, role, call);
    Answer answer;
    const abi::RoleView view(role);
    abi::ok(table().get_replica_param(provider_, call.context(), abi::view(img_root), view.get(),
                                      &on_param, &answer, call.error()));
    if (answer.param.args.empty()) throw no_result("get_replica_param", "a command");
    return std::move(answer.param);
  }

  std::optional<std::string> use_lock(std::string_view image, const Call& call) override {
    if (!has(&slipway_image_provider_vtbl::get_use_lock))
      return ImageProvider::use_lock(image, call);
    Answer answer;
    abi::ok(table().get_use_lock(provider_, call.context(), abi::view(image), &on_text, &answer,
                                 call.error()));
    return std::move(answer.text);
  }

 private:
  /// What the provider passed to a callback.
  struct Answer {
    std::optional<std::string> text;  ///< the root, entrypoint, directory or lock file
    ReplicaParam param;               ///< the command; for an image, only its `env`
  };

  const slipway_image_provider_vtbl& table() const { return *provider_->vtbl; }

  template <class Fn>
  bool has(Fn slipway_image_provider_vtbl::*function) const {
    return abi::has(table(), function);
  }
  template <class Fn>
  void need(Fn slipway_image_provider_vtbl::*function, const char* what) const {
    if (!has(function))
      throw Error(Code::kUnimplemented, std::string("the image provider cannot ") + what);
  }

  static Error no_result(const char* function, const char* result) {
    return Error(Code::kAbi,
                 std::string("the image provider's ") + function + " succeeded without " + result,
                 "this is an error in its plug-in");
  }

  static std::string root_of(Answer& answer, const char* function) {
    if (!answer.text) throw no_result(function, "an image");
    return *std::move(answer.text);
  }

  static slipway_status on_text(void* ctx, slipway_str value) noexcept {
    return abi::guard(nullptr, nullptr, [&] { static_cast<Answer*>(ctx)->text = abi::str(value); });
  }
  static slipway_status on_image(void* ctx, const slipway_image* image) noexcept {
    return abi::guard(nullptr, nullptr, [&] {
      const slipway_image i = abi::widen(image);
      static_cast<Answer*>(ctx)->text = abi::str(i.root);
      static_cast<Answer*>(ctx)->param.env = abi::read(i.env);
    });
  }
  static slipway_status on_param(void* ctx, const slipway_replica_param* param) noexcept {
    return abi::guard(nullptr, nullptr, [&] {
      const slipway_replica_param p = abi::widen(param);
      ReplicaParam& out = static_cast<Answer*>(ctx)->param;
      out.args = abi::read(p.args);
      out.env = abi::read(p.env);
      if (p.cwd.ptr != nullptr) out.cwd = abi::str(p.cwd);
    });
  }

  const slipway_host_image_providers* service_;
  slipway_image_provider* provider_ = nullptr;
};

}  // namespace sdk_1_0
}  // namespace slipway
