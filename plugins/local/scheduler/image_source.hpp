// Where a role's files come from: a provider of this plug-in or, through the host, of any other.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "slipway/hosted_image_provider.hpp"
#include "slipway/image_provider.hpp"

namespace slipway::local {

/// An image provider as the scheduler uses it; the contracts are those of
/// slipway/abi/image_provider.h.
class ImageSource {
 public:
  virtual ~ImageSource() = default;

  virtual std::string resolve(std::string_view image, const Call& call) = 0;
  virtual std::string fetch_role(const Role& role, StrDict& env, const Call& call) = 0;
  virtual std::optional<std::string> use_lock(std::string_view image, const Call& call) = 0;

  /// The provider, where it leaves commands as they are and only the working directory is its own;
  /// else nullptr, and replica_param() has to be asked for each replica.
  virtual ImageProvider* plain() { return nullptr; }
  /// `role`'s macros are replaced already.
  virtual ReplicaParam replica_param(std::string_view img_root, const Role& role,
                                     const Call& call) = 0;
};

/// A provider of this plug-in.
class OwnImages : public ImageSource {
 public:
  explicit OwnImages(std::unique_ptr<ImageProvider> provider) : provider_(std::move(provider)) {}
  std::string resolve(std::string_view image, const Call& call) override {
    return provider_->resolve(image, call);
  }
  std::string fetch_role(const Role& role, StrDict& env, const Call& call) override {
    return provider_->fetch_role(role, env, call);
  }
  std::optional<std::string> use_lock(std::string_view image, const Call& call) override {
    return provider_->use_lock(image, call);
  }
  ImageProvider* plain() override { return provider_.get(); }
  ReplicaParam replica_param(std::string_view img_root, const Role& role, const Call&) override {
    return provider_->replica_param(img_root, role);
  }

 private:
  std::unique_ptr<ImageProvider> provider_;
};

/// A provider that the host opened.
class HostedImages : public ImageSource {
 public:
  explicit HostedImages(HostedImageProvider provider) : provider_(std::move(provider)) {}
  std::string resolve(std::string_view image, const Call& call) override {
    return provider_.resolve(image, call);
  }
  std::string fetch_role(const Role& role, StrDict& env, const Call& call) override {
    return provider_.fetch_role(role, env, call);
  }
  std::optional<std::string> use_lock(std::string_view image, const Call& call) override {
    return provider_.use_lock(image, call);
  }
  ReplicaParam replica_param(std::string_view img_root, const Role& role,
                             const Call& call) override {
    return provider_.replica_param(img_root, role, call);
  }

 private:
  HostedImageProvider provider_;
};

}  // namespace slipway::local
