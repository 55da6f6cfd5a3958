// A plug-in of every kind that implements all functions.
#include "providers.hpp"
#include "scheduler.hpp"
#include "slipway/abi/component.h"
#include "slipway/abi/image_provider.h"
#include "slipway/abi/named_resources.h"
#include "slipway/detail/views.hpp"

namespace {

namespace abi = slipway::abi;

int initialised = 0;

slipway_status init(const slipway_host*, slipway_error*) {
  ++initialised;
  return SLIPWAY_OK;
}
void deinit() { --initialised; }

}  // namespace

extern "C" SLIPWAY_EXPORT const slipway_plugin slipway_plugin_v1;

namespace {

const slipway_provider kProviders[] = {
    {sizeof(slipway_provider),
     0,
     {SLIPWAY_KIND_SCHEDULER, sizeof(SLIPWAY_KIND_SCHEDULER) - 1},
     {"runner", 6},
     {"apps in files", 13},
     &runner::create_scheduler},
    runner::kImages,
    runner::kResources,
    runner::kComponents,
    runner::kWorkspace,
};

}  // namespace

const slipway_plugin slipway_plugin_v1 = {
    SLIPWAY_PLUGIN_MAGIC,
    sizeof(slipway_plugin),
    SLIPWAY_ABI_MAJOR,
    SLIPWAY_ABI_MINOR,
    0,
    SLIPWAY_ABI_DRAFT,
    {"org.example.runner", 18},
    {"1.0.0", 5},
    {"test", 4},
    &init,
    &deinit,
    {kProviders, sizeof kProviders / sizeof kProviders[0], sizeof(slipway_provider)}};
