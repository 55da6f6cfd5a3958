// The descriptor, and the faults that occur before a provider is created.
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "slipway/abi/component.h"
#include "slipway/abi/image_provider.h"
#include "slipway/abi/named_resources.h"
#include "slipway/detail/views.hpp"
#include "tests/bad_plugins/faulty/fault.hpp"
#include "tests/bad_plugins/faulty/providers.hpp"
#include "tests/bad_plugins/faulty/scheduler.hpp"

namespace {

namespace abi = slipway::abi;

int initialised = 0;

slipway_status init(const slipway_host* host, slipway_error* err) {
  if (faulty::broken("starts_once") && initialised > 0) {
    host->error_set(err, SLIPWAY_E_INTERNAL, abi::view("it runs already"), {nullptr, 0},
                    {nullptr, 0});
    return SLIPWAY_E_INTERNAL;
  }
  ++initialised;
  return SLIPWAY_OK;
}
void deinit() { initialised = faulty::broken("frees_in_first_deinit") ? 0 : initialised - 1; }

slipway_status create_after_init(const slipway_host* host, const slipway_call* call,
                                 const slipway_create_args* args, void** out, slipway_error* err) {
  if (faulty::broken("frees_in_first_deinit") && initialised == 0) {
    host->error_set(err, SLIPWAY_E_INTERNAL, abi::view("it is not initialised"), {nullptr, 0},
                    {nullptr, 0});
    return SLIPWAY_E_INTERNAL;
  }
  if (faulty::broken("leaves_a_thread")) std::thread([] { ::sleep(600); }).detach();
  return faulty::create_scheduler(host, call, args, out, err);
}

struct AtLoad {
  AtLoad() {
    if (faulty::broken("prints")) std::puts("hello from a plug-in"), std::fflush(stdout);
    if (faulty::broken("starts_a_thread")) std::thread([] { ::sleep(600); }).detach();
    if (faulty::broken("throws_at_load")) throw 42;
    if (faulty::broken("exits_at_load")) ::_exit(3);
  }
} at_load;

}  // namespace

extern "C" SLIPWAY_EXPORT const slipway_plugin slipway_plugin_v1;

namespace {

const slipway_provider kProviders[] = {
    {sizeof(slipway_provider),
     0,
     {SLIPWAY_KIND_SCHEDULER, sizeof(SLIPWAY_KIND_SCHEDULER) - 1},
     {"faulty", 6},
     {"apps in files", 13},
     &create_after_init},
    faulty::kImages,
    faulty::kResources,
    faulty::kComponents,
    faulty::kWorkspace,
};

}  // namespace

const slipway_plugin slipway_plugin_v1 = {
    SLIPWAY_PLUGIN_MAGIC,
    sizeof(slipway_plugin),
    SLIPWAY_ABI_MAJOR,
    SLIPWAY_ABI_MINOR,
    0,
    SLIPWAY_ABI_DRAFT,
    {"org.example.faulty", 18},
    {"1.0.0", 5},
    {"test", 4},
    &init,
    &deinit,
    {kProviders, sizeof kProviders / sizeof kProviders[0], sizeof(slipway_provider)}};
