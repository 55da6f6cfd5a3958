// Checks of objects of every kind.
#include <malloc.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <latch>
#include <string>
#include <thread>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/scheduler_calls.hpp"
#include "sdk/support/joined.hpp"
#include "slipway/detail/required_functions.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

// Reads one table of functions, and collects the required ones that it lacks.
template <class Table>
class TableReader {
 public:
  explicit TableReader(const Table* table) : table_(table) {
    require(table != nullptr, "the object has no table of functions");
  }
  template <class Fn>
  TableReader& need(Fn Table::*function, const char* name) {
    if (!has(function)) missing_.emplace_back(name);
    return *this;
  }
  template <class Fn>
  bool has(Fn Table::*function) const {
    return abi::has(*table_, function);
  }
  // Throws Broken if functions are missing. `size` is the table's struct_size in version 1.0.
  void verify(std::size_t size, const char* whose = "") const {
    if (missing_.empty()) return;
    std::string what =
        "required functions are missing" + std::string(whose) + ": " + joined(missing_);
    if (table_->struct_size < size) {
      what += "; struct_size is " + std::to_string(table_->struct_size) + ", smaller than the " +
              std::to_string(size) + " of version 1.0";
    }
    throw Broken(what);
  }

 private:
  const Table* table_;
  StrList missing_;
};

// Throws Broken if the table is missing or lacks a function that its kind must have. `size` is its
// struct_size in version 1.0.
template <class Table>
TableReader<Table> require_functions(const Table* table, std::size_t size) {
  TableReader<Table> out(table);
  out.need(&Table::destroy, "destroy");
  abi::each_required(*table, [&](auto function, const char* name) { out.need(function, name); });
  out.verify(size);
  return out;
}

void scheduler_functions(const slipway_scheduler_vtbl* table) {
  using T = slipway_scheduler_vtbl;
  TableReader<T> reader = require_functions(table, SLIPWAY_SCHEDULER_VTBL_1_0_SIZE);
  if (reader.has(&T::log_open)) {
    reader.need(&T::log_next, "log_next")
        .need(&T::log_cancel, "log_cancel")
        .need(&T::log_close, "log_close")
        .verify(SLIPWAY_SCHEDULER_VTBL_1_0_SIZE, " beside log_open");
  }
  if (reader.has(&T::events_open)) {
    reader.need(&T::events_fd, "events_fd")
        .need(&T::events_drain, "events_drain")
        .need(&T::events_close, "events_close")
        .verify(SLIPWAY_SCHEDULER_VTBL_1_0_SIZE, " beside events_open");
  }
}

void provider_functions(const Trial& trial) {
  const Instance instance(trial);
  if (trial.kind == SLIPWAY_KIND_SCHEDULER)
    scheduler_functions(instance.scheduler()->vtbl);
  else if (trial.kind == SLIPWAY_KIND_IMAGE_PROVIDER)
    require_functions(instance.images()->vtbl, SLIPWAY_IMAGE_PROVIDER_VTBL_1_0_SIZE);
  else if (trial.kind == SLIPWAY_KIND_NAMED_RESOURCES)
    require_functions(instance.resources()->vtbl, SLIPWAY_NAMED_RESOURCES_VTBL_1_0_SIZE);
  else if (trial.kind == SLIPWAY_KIND_COMPONENT)
    require_functions(instance.components()->vtbl, SLIPWAY_COMPONENTS_VTBL_1_0_SIZE);
  else if (trial.kind == SLIPWAY_KIND_WORKSPACE)
    require_functions(instance.workspace()->vtbl, SLIPWAY_WORKSPACE_VTBL_1_0_SIZE);
}

// Makes a cheap call to an object of the trial's kind. The call may fail.
slipway_status call_once(const Trial& trial, const Instance& instance, slipway_error* error) {
  if (trial.kind == SLIPWAY_KIND_SCHEDULER) {
    trial.progress.step("run_opts");
    return instance.scheduler()->vtbl->run_opts(instance.scheduler(), plain_call(),
                                                &ignore_item<slipway_run_opt>, nullptr, error);
  }
  if (trial.kind == SLIPWAY_KIND_NAMED_RESOURCES) {
    trial.progress.step("list");
    return instance.resources()->vtbl->list(instance.resources(), plain_call(),
                                            &ignore_item<slipway_named_resource>, nullptr, error);
  }
  if (trial.kind == SLIPWAY_KIND_COMPONENT) {
    GuardedMemory memory;
    const auto* query = memory.object(abi::sized<slipway_component_query>());
    memory.seal();
    trial.progress.step("list");
    return instance.components()->vtbl->list(instance.components(), plain_call(), query,
                                             &ignore_item<slipway_component_info>, nullptr, error);
  }
  if (trial.kind == SLIPWAY_KIND_IMAGE_PROVIDER) {
    GuardedMemory memory;
    const slipway_str image = memory.text("no/such/image");
    memory.seal();
    trial.progress.step("resolve");
    return instance.images()->vtbl->resolve(instance.images(), plain_call(), image,
                                            &ignore_item<slipway_image>, nullptr, error);
  }
  if (trial.kind == SLIPWAY_KIND_WORKSPACE) {
    GuardedMemory memory;
    auto order = abi::sized<slipway_workspace_order>();
    order.source = memory.text("/no/such/workspace");
    order.directory = memory.text(trial.directory);
    order.name = memory.text("copy");
    const slipway_workspace_order* placed = memory.object(order);
    memory.seal();
    trial.progress.step("plan");
    return instance.workspace()->vtbl->plan(instance.workspace(), plain_call(), placed,
                                            &ignore_item<slipway_workspace_result>, nullptr, error);
  }
  throw Inconclusive("the kit knows no call to a " + trial.kind);
}

void provider_config_text(const Trial& trial) {
  const slipway_plugin& plugin = load_checked(trial);
  const slipway_host* host = kit_host(trial.directory + "/state");
  initialise(trial, plugin, host);
  // The last one has a lone surrogate, one key twice, and a number beyond double.
  for (const char* config : {"{not json", "", "[1, 2]", "{\"a\": \"\\ud800\", \"a\": 1e999}"}) {
    slipway_error error;
    void* object = nullptr;
    const slipway_status status = create_object(trial, plugin, host, config, &object, &error);
    require_reason("create for the configuration '" + std::string(config) + "'", status, error);
    require(status < 0 || object != nullptr, "create succeeded and left *out NULL",
            "set *out to the object, or return an error with a message");
    if (status >= 0) destroy_object(trial, object);
  }
}

void provider_no_error_wanted(const Trial& trial) {
  const slipway_plugin& plugin = load_checked(trial);
  const slipway_host* host = kit_host(trial.directory + "/state");
  initialise(trial, plugin, host);
  void* object = nullptr;
  const slipway_status status = create_object(trial, plugin, host, "{not json", &object, nullptr);
  if (status >= 0) destroy_object(trial, object);
  const Instance instance(trial);
  (void)call_once(trial, instance, nullptr);
}

void provider_poor_host(const Trial& trial) {
  const Instance instance(trial, {.config_json = {}, .poor_host = true});
  slipway_error error;
  const slipway_status status = call_once(trial, instance, &error);
  inspect_failure("a call without services of the host (run_opts, list, resolve or plan)", status,
                  error);
}

void provider_newer_host(const Trial& trial) {
  require_known_version(trial);
  slipway_error plain;
  const slipway_status expected = call_once(trial, Instance(trial), &plain);
  play_newer_host();
  slipway_error error;
  const slipway_status status = call_once(trial, Instance(trial), &error);
  require(status == expected, "a call (run_opts, list, resolve or plan) gave status " +
                                  std::to_string(status) + " to a newer host, and " +
                                  std::to_string(expected) + " to one of this version" +
                                  (error.message.empty() ? "" : ": " + error.message));
}

void provider_extension(const Trial& trial) {
  const Instance instance(trial);
  GuardedMemory memory;
  const slipway_str id = memory.text("org.slipway.no_such_extension/9");
  memory.seal();
  const void* found = nullptr;
  const auto look = [&](auto* object) {
    using Table = std::remove_cv_t<std::remove_pointer_t<decltype(object->vtbl)>>;
    if (!abi::has(*object->vtbl, &Table::get_extension))
      throw Inconclusive("it has no get_extension");
    trial.progress.step("get_extension");
    found = object->vtbl->get_extension(object, id);
  };
  if (trial.kind == SLIPWAY_KIND_SCHEDULER) look(instance.scheduler());
  if (trial.kind == SLIPWAY_KIND_IMAGE_PROVIDER) look(instance.images());
  if (trial.kind == SLIPWAY_KIND_NAMED_RESOURCES) look(instance.resources());
  if (trial.kind == SLIPWAY_KIND_COMPONENT) look(instance.components());
  if (trial.kind == SLIPWAY_KIND_WORKSPACE) look(instance.workspace());
  require(found == nullptr, "get_extension gave something for org.slipway.no_such_extension/9");
}

// Makes so many calls that those of two threads which begin together overlap.
void work_for_a_while(const Trial& trial, const Instance& instance, std::latch& both_begin) {
  both_begin.arrive_and_wait();
  for (int i = 0; i < 200; ++i) {
    slipway_error error;
    (void)call_once(trial, instance, &error);
  }
}

void provider_two_threads(const Trial& trial) {
  const Instance one(trial), other(trial);
  // Only one thread may write to a ProgressPage, so the second thread gets one that nothing reads.
  // Both threads make the same calls, so the steps of this thread describe both.
  ProgressPage unread;
  const Trial same{trial.subject, trial.options,  unread,
                   trial.kind,    trial.provider, trial.directory};
  std::exception_ptr failure;
  std::latch both_begin(2);
  // Also joins if the first thread fails.
  std::jthread second = start_thread([&] {
    try {
      work_for_a_while(same, other, both_begin);
    } catch (...) {
      failure = std::current_exception();
    }
  });
  work_for_a_while(trial, one, both_begin);
  second.join();
  if (failure) std::rethrow_exception(failure);
}

void provider_leaks(const Trial& trial) {
  constexpr long kWarmUp = 100, kRounds = 300;
  // A leak in every round costs at least 32 bytes, the smallest allocation of glibc. Less than 8
  // bytes a round is a cache that has grown a few times after the warm-up.
  constexpr long kMostBytesPerRound = 8;
  const slipway_plugin& plugin = load_checked(trial);
  const slipway_host* host = kit_host(trial.directory + "/state");
  initialise(trial, plugin, host);
  const auto make = [&](long times) {
    for (long i = 0; i < times; ++i) {
      slipway_error error;
      void* object = nullptr;
      require_ok(
          "create",
          create_object(trial, plugin, host, trial.subject.config_of(trial.kind, trial.provider),
                        &object, &error),
          error);
      destroy_object(trial, object);
    }
  };
  const auto used = [] { return static_cast<long>(::mallinfo2().uordblks + ::mallinfo2().hblkhd); };
  make(kWarmUp);
  const long before = used();
  make(kRounds);
  const long each = (used() - before) / kRounds;
  require(each < kMostBytesPerRound,
          "each create and destroy loses " + std::to_string(each) + " bytes");
}

}  // namespace

std::vector<Check> provider_checks() {
  return {
      {"provider.functions",
       "*",
       Needs::kNothing,
       "the functions marked [required] are there (R6)",
       "give the object a table with them, and set struct_size of the table to its sizeof",
       &provider_functions,
       {"load.create"}},
      {"provider.config",
       "*",
       Needs::kNothing,
       "a configuration that is not a JSON object is an error with a message, or ignored",
       "check it in create, and return SLIPWAY_E_CONFIG",
       &provider_config_text,
       {"provider.functions"}},
      {"provider.no_error_wanted",
       "*",
       Needs::kNothing,
       "a host may pass NULL for the error (abi/host.h, error_set)",
       "pass the pointer to host->error_set and never read it",
       &provider_no_error_wanted,
       {"provider.functions"},
       Remedy::kAlsoForCrash},
      {"provider.poor_host",
       "*",
       Needs::kNothing,
       "a host may lack every service: get_extension gives NULL (abi/host.h)",
       "check what host->get_extension returns",
       &provider_poor_host,
       {"provider.functions"},
       Remedy::kAlsoForCrash},
      {"provider.newer_host",
       "*",
       Needs::kNothing,
       "a later minor version of the host has larger structs and a larger abi_minor (R1, R9)",
       "ask SLIPWAY_HAS for fields; never compare struct_size or abi_minor with ==",
       &provider_newer_host,
       {"provider.functions"},
       Remedy::kAlsoForCrash},
      {"provider.extension",
       "*",
       Needs::kNothing,
       "get_extension gives NULL for an id that the plug-in does not know (R6)",
       "compare the whole id",
       &provider_extension,
       {"provider.functions"}},
      {"provider.two_threads",
       "*",
       Needs::kNothing,
       "calls on different objects may overlap (abi/base.h, Threads)",
       "keep state in the object, or lock what objects share",
       &provider_two_threads,
       {"provider.functions"},
       Remedy::kAlsoForCrash},
      {"provider.leaks",
       "*",
       Needs::kNothing,
       "destroy frees the object and everything it owns",
       "free in destroy what create allocated",
       &provider_leaks,
       {"provider.functions"}},
  };
}

}  // namespace slipway::check
