// Makes a LocalRequest from an app and its run options, as TorchX's local scheduler does.
#pragma once

#include <memory>
#include <string>

#include "plugins/local/scheduler/image_providers.hpp"
#include "plugins/local/scheduler/local_request.hpp"
#include "slipway/scheduler.hpp"

namespace slipway::local {

/// The scheduler object that makes a request, and the call that it serves.
struct BuildContext {
  std::string scheduler;  ///< name, such as `local_cwd`
  std::string session;
  std::string state_root;  ///< contains the logs of apps without log_dir
  ImageProviders& images;
  const Call& call;
  const Scheduler::OnFinding& on_finding;
};

/// Inspects the machine, the images and the scripts of the app. Changes nothing and fetches no
/// image. Throws kInvalid for a field or option that cannot be carried out, kPrecondition if the
/// machine has too few GPUs to lease or the current directory is gone, and what find_cgroup_place()
/// (for `enforce=cgroup`) and the image providers report.
std::unique_ptr<LocalRequest> build_request(const AppDef& app, const LocalOptions& options,
                                            const BuildContext& context);

}  // namespace slipway::local
