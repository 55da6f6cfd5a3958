// From an app and its run options to a LocalRequest, as TorchX's local scheduler does it.
#pragma once

#include <memory>
#include <string>

#include "plugins/local/scheduler/image_providers.hpp"
#include "plugins/local/scheduler/local_request.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::local {

struct BuildContext {
  std::string scheduler;
  std::string session;
  std::string state_root;  ///< for the log directory of apps without log_dir
  ImageProviders& images;
  const Call& call;
  const Scheduler::OnFinding& on_finding;
};

/// Reads nothing but the working directory, the images and the list of GPUs; changes nothing, and
/// fetches nothing. Throws Error kInvalid for an image or an option that cannot be.
std::unique_ptr<LocalRequest> build_request(const AppDef& app, const LocalOptions& options,
                                            const BuildContext& context);

}  // namespace slipway::local
