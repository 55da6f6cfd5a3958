// What every provider of a plug-in has: the host, and what it was created with.
#pragma once

#include <utility>

#include "slipway/host.hpp"

namespace slipway {

/// The base of Scheduler, ImageProvider, NamedResources, Components and Workspace. Objects are made
/// by the host through the export macro (plugin.hpp) and never copied.
class Provider {
 public:
  Provider(Host host, CreateArgs args) : host_(host), args_(std::move(args)) {}
  virtual ~Provider() = default;
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;

 protected:
  const Host& host() const { return host_; }
  const CreateArgs& args() const { return args_; }

 private:
  Host host_;
  CreateArgs args_;
};

}  // namespace slipway
