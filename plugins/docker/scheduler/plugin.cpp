#include "slipway/plugin.hpp"

#include "plugins/docker/scheduler/docker_scheduler.hpp"
#include "plugins/docker/workspace/image_workspace.hpp"

SLIPWAY_PLUGIN("org.slipway.docker", SLIPWAY_VERSION,
               SLIPWAY_PROVIDER(slipway::docker::DockerScheduler, "local_docker",
                                "containers of a Docker engine"),
               SLIPWAY_PROVIDER(slipway::docker::DockerScheduler, "docker",
                                "containers of a Docker engine"),
               SLIPWAY_PROVIDER(slipway::docker::ImageWorkspace, "image",
                                "directories as layers on images of a Docker engine"))
