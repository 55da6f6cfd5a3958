// Does one harm in one place, both named by HARM_NAME, such as "crash_in_list". Built once for each
// name; provides a scheduler and named resources of that name. Uses the C interface directly, which
// does not stop exceptions.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "slipway/abi/named_resources.h"
#include "slipway/abi/plugin.h"
#include "slipway/abi/scheduler.h"

namespace {

constexpr slipway_str text(std::string_view from) { return {from.data(), from.size()}; }

bool is_harm(const char* harm, const char* place) {
  char name[64];
  std::snprintf(name, sizeof name, "%s_in_%s", harm, place);
  return std::strcmp(name, HARM_NAME) == 0;
}

// `pages` is larger than any stack.
int use_up_the_stack(volatile char* above, long pages) {
  volatile char here[4096];
  here[0] = *above;
  return pages > 0 ? use_up_the_stack(here, pages - 1) + here[0] : 0;
}

void do_harm(const char* place) {
  if (is_harm("crash", place)) *static_cast<volatile int*>(nullptr) = 1;
  if (is_harm("abort", place)) std::abort();
  if (is_harm("exit", place)) std::exit(3);
  if (is_harm("end", place)) ::_exit(3);  // runs no exit handler
  if (is_harm("throw", place)) throw 42;
  if (is_harm("print", place)) std::puts("hello from a plug-in");
  if (is_harm("warn", place)) {
    constexpr std::string_view kText = "a plug-in writes to descriptor 2\n";
    if (::write(2, kText.data(), kText.size()) < 0) std::abort();
  }
  if (is_harm("overflow", place)) {
    volatile char first = 1;
    use_up_the_stack(&first, 1'000'000'000);
  }
  while (is_harm("hang", place)) ::pause();
}

struct AtLoad {
  AtLoad() { do_harm("constructor"); }
} at_load;

slipway_status run_opts(slipway_scheduler*, const slipway_call*, slipway_on_run_opt, void*,
                        slipway_error*) {
  do_harm("run_opts");
  return SLIPWAY_OK;
}

slipway_status list_apps(slipway_scheduler*, const slipway_call*, const slipway_list_query*,
                         slipway_on_list_item, void*, slipway_error*) {
  do_harm("list");
  return SLIPWAY_OK;
}

slipway_status list_resources(slipway_named_resources*, const slipway_call*,
                              slipway_on_named_resource on_resource, void* ctx, slipway_error*) {
  do_harm("list");
  slipway_resource one{};
  one.struct_size = sizeof one;
  one.cpu = 1;
  one.gpu = 0;
  one.mem_mb = 1024;
  const slipway_named_resource named{sizeof named, 0, text(HARM_NAME ".small"), &one};
  return on_resource(ctx, &named);
}

template <class Table>
Table table_of() {
  Table out{};
  out.struct_size = sizeof out;
  return out;
}

slipway_status create_scheduler(const slipway_host*, const slipway_call*,
                                const slipway_create_args*, void** out, slipway_error*) {
  do_harm("create");
  static slipway_scheduler_vtbl table = [] {
    auto all = table_of<slipway_scheduler_vtbl>();
    // Hosts list the apps of such a scheduler in more commands, such as completion.
    all.flags = SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT;
    all.run_opts = &run_opts;
    all.list = &list_apps;
    // The other functions that a scheduler must have; no test submits an app.
    all.submit_dryrun = [](auto...) { return slipway_status{SLIPWAY_E_UNAVAILABLE}; };
    all.request_print = [](auto...) { return slipway_status{SLIPWAY_OK}; };
    all.request_free = [](auto...) {};
    all.schedule = [](auto...) { return slipway_status{SLIPWAY_E_UNAVAILABLE}; };
    all.describe = [](auto...) { return slipway_status{SLIPWAY_OK}; };
    all.cancel = [](auto...) { return slipway_status{SLIPWAY_OK}; };
    all.destroy = [](slipway_scheduler*) { do_harm("destroy"); };
    return all;
  }();
  static slipway_scheduler scheduler{&table};
  *out = &scheduler;
  return SLIPWAY_OK;
}

slipway_status create_resources(const slipway_host*, const slipway_call*,
                                const slipway_create_args*, void** out, slipway_error*) {
  do_harm("create");
  static slipway_named_resources_vtbl table = [] {
    auto all = table_of<slipway_named_resources_vtbl>();
    all.list = &list_resources;
    return all;
  }();
  static slipway_named_resources resources{&table};
  *out = &resources;
  return SLIPWAY_OK;
}

slipway_status init(const slipway_host*, slipway_error*) {
  do_harm("init");
  return SLIPWAY_OK;
}

const slipway_provider kProviders[] = {
    {sizeof(slipway_provider), 0, text(SLIPWAY_KIND_SCHEDULER), text(HARM_NAME), text("does harm"),
     &create_scheduler},
    {sizeof(slipway_provider), 0, text(SLIPWAY_KIND_NAMED_RESOURCES), text(HARM_NAME),
     text("does harm"), &create_resources}};

}  // namespace

extern "C" SLIPWAY_EXPORT const slipway_plugin slipway_plugin_v1;
const slipway_plugin slipway_plugin_v1 = {SLIPWAY_PLUGIN_MAGIC,
                                          sizeof(slipway_plugin),
                                          SLIPWAY_ABI_MAJOR,
                                          SLIPWAY_ABI_MINOR,
                                          0,
                                          SLIPWAY_ABI_DRAFT,
                                          text("org.bad." HARM_NAME),
                                          text("1.2.0"),
                                          text("test"),
                                          &init,
                                          [] { do_harm("deinit"); },
                                          {kProviders, 2, sizeof(slipway_provider)}};
