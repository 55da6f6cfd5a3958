// Checks of the library itself, and of the creation of its objects.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>

#include "core/registry/libraries/elf_facts.hpp"
#include "core/registry/libraries/preflight.hpp"
#include "core/registry/manifests/manifest.hpp"
#include "sdk/check/checks/groups.hpp"
#include "sdk/check/checks/process_state.hpp"
#include "sdk/check/host/loaded.hpp"
#include "sdk/support/joined.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/error.hpp"

namespace slipway::check {

namespace {

// Creates and destroys every object that a host would create. Calls `judge` with the outcome of
// each creation.
template <class Judge>
void make_objects(const Trial& trial, const slipway_plugin& plugin, const slipway_host* host,
                  const Judge& judge) {
  for (std::size_t i = 0; i < plugin.providers.count; ++i) {
    const slipway_provider* provider = SLIPWAY_AT(plugin.providers, slipway_provider, i);
    if (!is_known_kind(abi::text(provider->kind))) continue;
    const Trial one{trial.subject,
                    trial.options,
                    trial.progress,
                    abi::str(provider->kind),
                    abi::str(provider->name),
                    trial.directory};
    void* object = nullptr;
    slipway_error error;
    const slipway_status status = create_object(
        one, plugin, host, one.subject.config_of(one.kind, one.provider), &object, &error);
    if (status >= 0) destroy_object(one, object);
    judge(status, error);
  }
}

// Initialises the plug-in, and creates and destroys its objects; ignores failures.
void make_everything(const Trial& trial, const slipway_plugin& plugin) {
  const slipway_host* host = kit_host(trial.directory + "/state");
  slipway_error error;
  trial.progress.step("init");
  if (plugin.init != nullptr && plugin.init(host, &error) < 0) return;
  make_objects(trial, plugin, host, [](slipway_status, const slipway_error&) {});
}

// Returns facts about the library's file. Throws Broken if the host refuses to load it: it is
// truncated, or no shared library for this machine.
registry::ElfFacts elf_facts(const Trial& trial) {
  registry::TrustPolicy everybody;
  everybody.enabled = false;  // the author names the file on the command line
  try {
    registry::preflight(trial.subject.library, registry::Origin::kFlag, everybody);
    return registry::read_elf(trial.subject.library);
  } catch (const Error& error) {
    throw Broken(error.message(), error.hint());
  }
}

// Throws Inconclusive if hosts refuse the library because of the owner or mode of the file or its
// directory. That is no defect of the plug-in: the owners of a build in a container are arbitrary.
void require_trusted(const Trial& trial) {
  const bool elevated = false;
  try {
    registry::preflight(trial.subject.library, registry::Origin::kFlag,
                        registry::TrustPolicy::of_process(elevated));
  } catch (const Error& error) {
    throw Inconclusive("hosts of this user refuse the file where it is: " + error.message() +
                       (error.hint().empty() ? "" : " (" + error.hint() + ")"));
  }
}

void load_file(const Trial& trial) {
  const registry::ElfFacts facts = elf_facts(trial);
  require(!facts.text_relocations, "it has text relocations",
          "compile everything in it with -fPIC");
  require(!facts.executable_stack, "it asks for an executable stack",
          "link it with -Wl,-z,noexecstack");
  // A host may log with Boost.Log, as `slipway` does.
  for (const std::string& library : facts.needed) {
    require(library.rfind("libboost_log", 0) != 0,
            "it needs " + library + ", whose global state it would share with the host",
            "log through host->log");
  }
  require_trusted(trial);
}

void load_entry(const Trial& trial) { load_library(trial); }

void load_symbols(const Trial& trial) {
  const registry::ElfFacts facts = elf_facts(trial);
  const auto& exports = facts.exports;
  require(std::find(exports.begin(), exports.end(), SLIPWAY_PLUGIN_SYMBOL) != exports.end(),
          "it does not export " SLIPWAY_PLUGIN_SYMBOL,
          "export it with SLIPWAY_PLUGIN, or with SLIPWAY_EXPORT in C");
  const std::string others = registry::extra_exports(facts);
  require(others.empty(), "it also exports " + others);
}

// Throws Broken if the kind begins with "slipway." and the version of the contract with which the
// plug-in was built does not define it. Other kinds belong to other hosts.
void require_known_or_foreign(const slipway_plugin& plugin, const std::string& kind,
                              const std::string& place) {
  const bool may_be_later = plugin.abi_minor > SLIPWAY_ABI_MINOR;
  if (kind.rfind("slipway.", 0) != 0 || is_known_kind(kind) || may_be_later) return;
  StrList known;
  for (const registry::Group group : registry::kGroups) known.emplace_back(registry::kind(group));
  throw Broken(place + " has the kind \"" + kind + "\", which version 1." +
                   std::to_string(plugin.abi_minor) + " does not have: every host ignores it",
               "use one of " + joined(known) + "; a kind of your own begins with your domain");
}

void load_descriptor(const Trial& trial) {
  const slipway_plugin& plugin = load_checked(trial);
  const std::string id = abi::str(plugin.id);
  require(id.find('.') != std::string::npos, "its id is \"" + id + "\"",
          "use your domain's name in reverse order: org.example.name");
  require(plugin.version.len != 0, "it has no version", "set version, for example to \"1.0.0\"");
  require(plugin.min_host_minor <= plugin.abi_minor,
          "min_host_minor is higher than abi_minor, the version it was built with");
  require(plugin.providers.count != 0, "it provides nothing", "list its providers");
  for (std::size_t i = 0; i < plugin.providers.count; ++i) {
    const slipway_provider* p = SLIPWAY_AT(plugin.providers, slipway_provider, i);
    const std::string place = "the provider at place " + std::to_string(i);
    require(p->struct_size >= SLIPWAY_PROVIDER_1_0_SIZE,
            place + " has a struct_size smaller than 1.0's", "set it to sizeof(slipway_provider)");
    require(p->kind.len != 0 && p->name.len != 0, place + " lacks its kind or its name");
    require(p->create != nullptr, place + " (" + abi::str(p->name) + ") has no create");
    require(abi::str(p->kind).find('/') != std::string::npos,
            place + " has the kind \"" + abi::str(p->kind) + "\", which has no revision",
            "use the SLIPWAY_KIND_* of the interface's header");
    require_known_or_foreign(plugin, abi::str(p->kind), place);
  }
}

void load_manifest(const Trial& trial) {
  const ManifestFacts& promised = *trial.subject.manifest;
  const slipway_plugin& plugin = load_checked(trial);
  require(abi::text(plugin.id) == promised.id, "the library is \"" + abi::str(plugin.id) +
                                                   "\", the manifest says \"" + promised.id + "\"");
  require(promised.version.empty() || abi::text(plugin.version) == promised.version,
          "the library is version " + abi::str(plugin.version) + ", the manifest says " +
              promised.version);
  std::string unknown;
  for (const DeclaredProvider& provider : promised.providers) {
    const Trial one{trial.subject, trial.options, trial.progress, provider.kind, provider.name, {}};
    provider_of(one, plugin);  // throws Broken if the library lacks it
  }
  for (std::size_t i = 0; i < plugin.providers.count; ++i) {
    const slipway_provider* p = SLIPWAY_AT(plugin.providers, slipway_provider, i);
    if (!is_known_kind(abi::text(p->kind))) continue;  // [plugin.provides] has no key for it
    bool is_promised = false;
    for (const DeclaredProvider& provider : promised.providers)
      is_promised = is_promised ||
                    (provider.kind == abi::text(p->kind) && provider.name == abi::text(p->name));
    if (!is_promised) unknown += (unknown.empty() ? "" : ", ") + abi::str(p->name);
  }
  require(unknown.empty(), "the library provides " + unknown + ", and the manifest does not say so",
          "list every provider in [plugin.provides]; the host finds no others");
}

void load_create(const Trial& trial) { Instance(trial).destroy(); }

void load_quiet(const Trial& trial) {
  make_everything(trial, load_checked(trial));
  require_silence("the library, init or create");
}

std::ptrdiff_t count_threads() {
  namespace fs = std::filesystem;
  return std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator());
}

void load_no_threads(const Trial& trial) {
  make_everything(trial, load_checked(trial));
  // The kernel lists a thread for a moment after it was joined.
  for (int tries = 0; count_threads() > 1 && tries < 100; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const std::ptrdiff_t threads = count_threads();
  require(threads == 1, "after loading, init, create and destroy there are " +
                            std::to_string(threads - 1) + " threads that were not there before");
}

void load_init_twice(const Trial& trial) {
  const slipway_plugin& plugin = load_checked(trial);
  const slipway_host* host = kit_host(trial.directory + "/state");
  initialise(trial, plugin, host);
  initialise(trial, plugin, host);
  if (plugin.deinit == nullptr) return;
  trial.progress.step("deinit");
  plugin.deinit();
  // One successful init has no deinit yet, so the plug-in must still work.
  make_objects(trial, plugin, host, [](slipway_status status, const slipway_error& error) {
    require_ok("after two calls of init and one of deinit, create", status, error);
  });
  trial.progress.step("deinit");
  plugin.deinit();
}

void load_process_state(const Trial& trial) {
  const ProcessState before;
  make_everything(trial, load_checked(trial));
  before.require_unchanged();
}

}  // namespace

std::vector<Check> load_checks() {
  constexpr const char* kThisProcess = "the process belongs to the host: change nothing in it";
  return {
      {"load.file", "", Needs::kNothing,
       "the file is a shared library of this machine that a host can map safely", "rebuild it",
       &load_file},
      {"load.entry",
       "",
       Needs::kNothing,
       "the library can be loaded, and exports slipway_plugin_v1 (abi/plugin.h)",
       "let its constructors do nothing that can fail",
       &load_entry,
       {"load.file"}},
      {"load.symbols",
       "",
       Needs::kNothing,
       "slipway_plugin_v1 is the only symbol that it exports (sdk/docs/boundary.md)",
       "compile with -fvisibility=hidden and link with the SDK's version script; "
       "slipway_add_plugin() does both",
       &load_symbols,
       {"load.entry"}},
      {"load.descriptor",
       "",
       Needs::kNothing,
       "the descriptor is complete and of this major version (abi/plugin.h)",
       "use SLIPWAY_PLUGIN, or fill in every field",
       &load_descriptor,
       {"load.entry"}},
      {"load.manifest",
       "",
       Needs::kManifest,
       "the library matches its manifest: id, version and providers",
       "correct the manifest, or install the two together",
       &load_manifest,
       {"load.descriptor"}},
      {"load.create",
       "*",
       Needs::kNothing,
       "init and create succeed with the configuration of the manifest, and destroy ends the "
       "object (abi/plugin.h)",
       "if it needs a configuration, give it in [plugin.config] of the manifest",
       &load_create,
       {"load.descriptor"}},
      {"load.quiet",
       "",
       Needs::kOwnProcess,
       "nothing goes to stdout or stderr when the library is loaded (abi/base.h, The process)",
       "use host->log",
       &load_quiet,
       {"load.descriptor", "load.create"}},
      {"load.no_threads",
       "",
       Needs::kOwnProcess,
       "neither the library nor init starts a thread, and destroy ends those of its object "
       "(abi/plugin.h; abi/base.h, The process)",
       "start it in the function that needs it, and end it in destroy at the latest",
       &load_no_threads,
       {"load.descriptor", "load.create"}},
      {"load.init_twice",
       "",
       Needs::kNothing,
       "init may be called more than once, and deinit once for each (abi/plugin.h)",
       "count the calls, and free resources in the last deinit",
       &load_init_twice,
       {"load.descriptor", "load.create"}},
      {"load.process_state",
       "",
       Needs::kNothing,
       "signal handlers, working directory, umask, locale and environment stay as they are "
       "(abi/base.h, The process)",
       kThisProcess,
       &load_process_state,
       {"load.descriptor", "load.create"}},
  };
}

}  // namespace slipway::check
