// The common base class of all providers of a plug-in.
#pragma once

#include <utility>

#include "slipway/host.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// The base of Scheduler, ImageProvider, NamedResources, Components and Workspace. The host creates
/// objects through the export macro (plugin.hpp) and destroys them.
class Provider {
 public:
  Provider(Host host, CreateArgs args) : host_(host), args_(std::move(args)) {}
  virtual ~Provider() = default;
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;

 protected:
  /// Returns the host. The reference is valid as long as this object, a copy until the process
  /// ends.
  const Host& host() const { return host_; }
  /// Returns the arguments of the creation.
  const CreateArgs& args() const { return args_; }

 private:
  Host host_;
  CreateArgs args_;
};

}  // namespace sdk_1_0
}  // namespace slipway
