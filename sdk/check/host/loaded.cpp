#include "sdk/check/host/loaded.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>

#include "core/registry/manifests/manifest.hpp"
#include "sdk/check/host/kit_host.hpp"
#include "slipway/detail/views.hpp"

namespace slipway::check {

namespace {

// A larger number of providers is certainly garbage.
constexpr std::size_t kMaxProviders = 4096;

std::string loader_message() {
  const char* text = ::dlerror();
  return text != nullptr ? text : "the loader gives no reason";
}

template <class Object>
void destroy_as(void* object) {
  auto* typed = static_cast<Object*>(object);
  using Table = std::remove_cv_t<std::remove_pointer_t<decltype(typed->vtbl)>>;
  if (typed->vtbl != nullptr && abi::has(*typed->vtbl, &Table::destroy))
    typed->vtbl->destroy(typed);
}

}  // namespace

bool is_known_kind(std::string_view kind) {
  return std::any_of(registry::kGroups.begin(), registry::kGroups.end(),
                     [&](registry::Group group) { return kind == registry::kind(group); });
}

const slipway_plugin& load_library(const Trial& trial) {
  trial.progress.step("loading the library: its constructors");
  void* handle = ::dlopen(trial.subject.library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr)
    throw Broken("the library cannot be loaded: " + loader_message(),
                 "link it with -Wl,-z,defs and with all that it needs");
  const void* symbol = ::dlsym(handle, SLIPWAY_PLUGIN_SYMBOL);
  if (symbol == nullptr)
    throw Broken("the library does not export " SLIPWAY_PLUGIN_SYMBOL,
                 "export it with SLIPWAY_PLUGIN, or with SLIPWAY_EXPORT in C");
  return *static_cast<const slipway_plugin*>(symbol);
}

const slipway_plugin& load_checked(const Trial& trial) {
  const slipway_plugin& plugin = load_library(trial);
  // In this order, because each check makes the fields of the next one readable.
  require(plugin.magic == SLIPWAY_PLUGIN_MAGIC,
          SLIPWAY_PLUGIN_SYMBOL " has another magic than SLIPWAY_PLUGIN_MAGIC");
  require(plugin.abi_major == SLIPWAY_ABI_MAJOR,
          "it claims ABI major " + std::to_string(plugin.abi_major) + "; this kit checks " +
              std::to_string(SLIPWAY_ABI_MAJOR),
          "use the kit that came with the SDK it was built with");
  require(plugin.struct_size >= SLIPWAY_PLUGIN_1_0_SIZE,
          "its descriptor has " + std::to_string(plugin.struct_size) + " bytes, fewer than 1.0's " +
              std::to_string(SLIPWAY_PLUGIN_1_0_SIZE),
          "set struct_size to sizeof(slipway_plugin)");
  require(plugin.draft == SLIPWAY_ABI_DRAFT,
          "it was built for draft " + std::to_string(plugin.draft) + " of the ABI; this kit has " +
              std::to_string(SLIPWAY_ABI_DRAFT),
          "compile it with the SDK of this kit");
  require(plugin.min_host_minor <= SLIPWAY_ABI_MINOR,
          "it needs a host of ABI 1." + std::to_string(plugin.min_host_minor) +
              "; this kit plays one of 1." + std::to_string(SLIPWAY_ABI_MINOR),
          "set min_host_minor to the version that it requires, or use a newer kit");
  const slipway_provider_array& all = plugin.providers;
  require(all.count == 0 || (all.ptr != nullptr && all.count <= kMaxProviders &&
                             all.stride >= SLIPWAY_PROVIDER_1_0_SIZE),
          "its list of providers is broken: " + std::to_string(all.count) + " of " +
              std::to_string(all.stride) + " bytes each",
          "set ptr, count and stride = sizeof(slipway_provider)");
  return plugin;
}

void require_known_version(const Trial& trial) {
  const std::uint16_t minor = load_checked(trial).abi_minor;
  if (minor > SLIPWAY_ABI_MINOR)
    throw Inconclusive("it was built for ABI 1." + std::to_string(minor) +
                       ", and this kit knows 1." + std::to_string(SLIPWAY_ABI_MINOR));
}

void initialise(const Trial& trial, const slipway_plugin& plugin, const slipway_host* host) {
  if (plugin.init == nullptr) return;
  slipway_error error;
  trial.progress.step("init");
  require_ok("init", plugin.init(host, &error), error);
}

void require_reason(const std::string& function, slipway_status status,
                    const slipway_error& error) {
  if (status >= 0) return;
  require(!error.message.empty(),
          function + " failed with status " + std::to_string(status) + " and without a message",
          "call host->error_set with what failed and why before returning an error");
  require(error.detail_json.empty() || is_json_object(error.detail_json),
          function + " failed with details that are not a JSON object: " + error.detail_json,
          "give host->error_set a JSON object, or no details");
  // The statuses of version 1.0 end with SLIPWAY_E_OUTCOME_UNKNOWN.
  require(status >= SLIPWAY_E_OUTCOME_UNKNOWN || status <= SLIPWAY_E_PRIVATE,
          function + " returned the unknown status " + std::to_string(status),
          "return one of the SLIPWAY_E_* of abi/base.h, or one from SLIPWAY_E_PRIVATE down");
}

void inspect_failure(const std::string& function, slipway_status status,
                     const slipway_error& error) {
  require_reason(function, status, error);
  switch (status) {
    case SLIPWAY_E_PRECONDITION:
    case SLIPWAY_E_DENIED:
    case SLIPWAY_E_UNAVAILABLE:
    case SLIPWAY_E_TIMEOUT:
    case SLIPWAY_E_TEMPORARY:
      throw Inconclusive("it cannot work on this machine: " + function + ": " + error.message);
    default: break;
  }
}

void require_ok(const std::string& function, slipway_status status, const slipway_error& error) {
  inspect_failure(function, status, error);
  require(status >= 0, function + " failed: " + error.message +
                           (error.hint.empty() ? "" : " (" + error.hint + ")"));
}

const slipway_call* plain_call() {
  // One call for each host that the kit plays, because their structs differ in size.
  static auto& memory = *std::make_unique<std::array<GuardedMemory, 2>>().release();
  if (plays_newer_host()) {
    static const slipway_call* const newer = memory[1].object(abi::sized<slipway_call>());
    return newer;
  }
  static const slipway_call* const own = memory[0].object(abi::sized<slipway_call>());
  return own;
}

const slipway_provider& provider_of(const Trial& trial, const slipway_plugin& plugin) {
  for (std::size_t i = 0; i < plugin.providers.count; ++i) {
    const slipway_provider* provider = SLIPWAY_AT(plugin.providers, slipway_provider, i);
    if (abi::text(provider->kind) != trial.kind || abi::text(provider->name) != trial.provider)
      continue;
    const std::string which = "the provider \"" + trial.provider + "\" has ";
    require(provider->struct_size >= SLIPWAY_PROVIDER_1_0_SIZE,
            which + "a struct_size smaller than 1.0's", "set it to sizeof(slipway_provider)");
    require(provider->create != nullptr, which + "no create");
    return *provider;
  }
  throw Broken("the library provides no " + trial.kind + " \"" + trial.provider + "\"",
               "make [plugin.provides] of the manifest and the library agree");
}

slipway_status create_object(const Trial& trial, const slipway_plugin& plugin,
                             const slipway_host* host, std::string_view config_json, void** out,
                             slipway_error* error, std::string_view session,
                             const slipway_call* call) {
  GuardedMemory memory;
  auto args = abi::sized<slipway_create_args>();
  args.entry = memory.text(trial.provider);
  args.name = memory.text(trial.provider);
  args.session = memory.text(session);
  args.config_json = memory.text(config_json);
  const slipway_create_args* placed = memory.object(args);
  memory.seal();
  trial.progress.step("create");
  const slipway_status status = provider_of(trial, plugin).create(host, call, placed, out, error);
  memory.vanish();
  return status;
}

void destroy_object(const Trial& trial, void* object) {
  if (object == nullptr) return;
  trial.progress.step("destroy");
  if (trial.kind == SLIPWAY_KIND_SCHEDULER) destroy_as<slipway_scheduler>(object);
  if (trial.kind == SLIPWAY_KIND_IMAGE_PROVIDER) destroy_as<slipway_image_provider>(object);
  if (trial.kind == SLIPWAY_KIND_NAMED_RESOURCES) destroy_as<slipway_named_resources>(object);
  if (trial.kind == SLIPWAY_KIND_COMPONENT) destroy_as<slipway_components>(object);
  if (trial.kind == SLIPWAY_KIND_WORKSPACE) destroy_as<slipway_workspace>(object);
}

Instance::Instance(const Trial& trial, const How& how) : trial_(trial) {
  const slipway_plugin& plugin = load_checked(trial);
  const slipway_host* host = kit_host(trial.directory + "/state", how.poor_host);
  initialise(trial, plugin, host);
  const std::string& config = how.config_json.empty()
                                  ? trial.subject.config_of(trial.kind, trial.provider)
                                  : how.config_json;
  slipway_error error;
  require_ok("create", create_object(trial, plugin, host, config, &object_, &error, how.session),
             error);
  require(object_ != nullptr, "create succeeded and left *out NULL",
          "set *out to the object, or return an error with a message");
}

void Instance::destroy() {
  void* object = object_;
  object_ = nullptr;
  destroy_object(trial_, object);
}

}  // namespace slipway::check
