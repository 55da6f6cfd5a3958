// Making a request's images available, right before it is launched.
#pragma once

#include "plugins/local/engine/plan.hpp"
#include "plugins/local/scheduler/image_providers.hpp"
#include "plugins/local/scheduler/local_request.hpp"

namespace slipway::local {

/// Fetches the image of every role that has replicas, adds to `plan` (the request's, as it will be
/// launched) the variables that providers add and the locks that keep the images. May take long.
/// Throws what the provider says, and kPrecondition for an image that is not where the dry run had
/// it: nothing may be started then.
void fetch_images(const LocalRequest& request, LaunchPlan& plan, ImageProviders& providers,
                  const Call& call);

}  // namespace slipway::local
