#include "core/registry/libraries/library.hpp"

#include <fmt/core.h>

#include <utility>

#include "core/registry/calls/call_error.hpp"
#include "core/registry/calls/plugin_call.hpp"
#include "core/registry/libraries/checksum.hpp"
#include "core/registry/libraries/preflight.hpp"
#include "core/registry/libraries/shared_object.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {
namespace {

// Far more than any plug-in has. A larger number means a broken descriptor.
constexpr std::size_t kMaxProviders = 4096;

[[noreturn]] void refuse(const std::string& path, const std::string& what, std::string hint = {}) {
  throw Error(Code::kAbi, fmt::format("plug-in library {} {}", path, what), std::move(hint), path);
}

const slipway_plugin* find_descriptor(const SharedObject& object, const std::string& path) {
  if (const void* symbol = object.find(SLIPWAY_PLUGIN_SYMBOL))
    return static_cast<const slipway_plugin*>(symbol);
  for (int major = 0; major < 10; ++major) {
    const std::string other = fmt::format("slipway_plugin_v{}", major);
    if (object.find(other.c_str()) == nullptr) continue;
    refuse(path, fmt::format("does not export {}, but {}", SLIPWAY_PLUGIN_SYMBOL, other),
           fmt::format("it is a plug-in for ABI major {}; this host speaks {}: rebuild it with the "
                       "matching SDK",
                       major, SLIPWAY_ABI_MAJOR));
  }
  refuse(path, fmt::format("does not export {}", SLIPWAY_PLUGIN_SYMBOL),
         "is it a plug-in for Slipway? did a version script or -fvisibility hide the symbol?");
}

// Checks the descriptor before the first call of a plug-in's function. The order matters, because
// each check makes the fields of the next one readable.
void check_descriptor(const slipway_plugin& plugin, const std::string& path) {
  if (plugin.magic != SLIPWAY_PLUGIN_MAGIC) {
    refuse(path, fmt::format("has a wrong magic number in {}", SLIPWAY_PLUGIN_SYMBOL),
           "the symbol exists but is not a slipway_plugin; use the SDK's export macro");
  }
  if (plugin.abi_major != SLIPWAY_ABI_MAJOR) {
    refuse(path,
           fmt::format("claims ABI {}.{}; this host speaks {}.{}", plugin.abi_major,
                       plugin.abi_minor, SLIPWAY_ABI_MAJOR, SLIPWAY_ABI_MINOR),
           "rebuild it with the SDK of this host");
  }
  if (plugin.struct_size < SLIPWAY_PLUGIN_1_0_SIZE) {
    refuse(path, fmt::format("has a descriptor of {} bytes, fewer than version 1.0's {}",
                             plugin.struct_size, SLIPWAY_PLUGIN_1_0_SIZE));
  }
  if (plugin.draft != SLIPWAY_ABI_DRAFT) {
    refuse(path,
           fmt::format("({}) was built for draft {} of ABI {}.{}; this host has draft {}",
                       abi::text(plugin.id), plugin.draft, plugin.abi_major, plugin.abi_minor,
                       SLIPWAY_ABI_DRAFT),
           "compile it with the SDK of this host: drafts are not compatible with each other");
  }
  if (plugin.min_host_minor > SLIPWAY_ABI_MINOR) {
    refuse(
        path,
        fmt::format("({}) needs a host with ABI >= {}.{}; this one has {}.{}", abi::text(plugin.id),
                    SLIPWAY_ABI_MAJOR, plugin.min_host_minor, SLIPWAY_ABI_MAJOR, SLIPWAY_ABI_MINOR),
        "upgrade Slipway");
  }
}

SharedObject load_object(const PluginEntry& entry) {
  const std::string& name = entry.id.empty() ? entry.library : entry.id;
  const PluginCall running(name.c_str(), entry.version.c_str(), "its constructors",
                           PluginCall::Phase::kStart);
  return SharedObject(entry.library);
}

void check_providers(const slipway_plugin& plugin, const std::string& path) {
  const slipway_provider_array& all = plugin.providers;
  if (all.count == 0) return;
  if (all.ptr == nullptr || all.count > kMaxProviders || all.stride < SLIPWAY_PROVIDER_1_0_SIZE) {
    refuse(path, fmt::format("has a broken list of providers ({} of {} bytes each)", all.count,
                             all.stride));
  }
  for (std::size_t i = 0; i < all.count; ++i) {
    const slipway_provider* provider = SLIPWAY_AT(all, slipway_provider, i);
    const auto refuse_provider = [&](std::string_view why) {
      refuse(path, fmt::format("has a broken provider at place {}: {}", i, why));
    };
    if (provider->struct_size < SLIPWAY_PROVIDER_1_0_SIZE)
      refuse_provider("its struct_size is smaller than version 1.0's");
    if (provider->create == nullptr || abi::text(provider->kind).empty())
      refuse_provider("no kind, or no way to create it");
  }
}

}  // namespace

Library::Library(std::string path, const slipway_plugin* plugin, const slipway_host* host)
    : path_(std::move(path)),
      id_(abi::text(plugin->id)),
      version_(abi::text(plugin->version)),
      plugin_(plugin),
      host_(host) {}

Library::~Library() {
  if (!initialised_ || plugin_->deinit == nullptr) return;
  const PluginCall call(id_.c_str(), version_.c_str(), "deinit");
  call.run_noexcept([this] { plugin_->deinit(); });
}

std::shared_ptr<Library> Library::load(const PluginEntry& entry, const slipway_host* host,
                                       const TrustPolicy& trust,
                                       std::vector<spec::Problem>& warnings) {
  const std::string& path = entry.library;
  preflight(path, entry.origin, trust);
  check_sha256(path, entry.sha256, spec::to_string(entry.sha256_source));
  const SharedObject object = load_object(entry);
  const slipway_plugin* plugin = find_descriptor(object, path);
  check_descriptor(*plugin, path);
  const std::string source = spec::to_string(entry.source);
  if (!entry.id.empty() && abi::text(plugin->id) != entry.id) {
    refuse(path,
           fmt::format("has the id \"{}\", but {} says \"{}\"", abi::text(plugin->id), source,
                       entry.id),
           "correct `id` or `library` in the manifest");
  }
  // Not make_shared: the constructor is private.
  std::shared_ptr<Library> library(new Library(path, plugin, host));
  library->initialise();
  check_providers(*plugin, path);
  for (const Provided& promised : entry.provides) {
    if (library->provider(kind(promised.group), promised.entry) != nullptr) continue;
    refuse(path,
           fmt::format("does not provide the {} \"{}\", which {} lists", noun(promised.group),
                       promised.entry, spec::to_string(promised.source)),
           fmt::format("it provides: {}", library->provided_text()));
  }
  if (!entry.version.empty() && entry.version != library->version()) {
    warnings.push_back({spec::Severity::kWarning, entry.source, "version",
                        fmt::format("says {}, but the library {} says {}", entry.version, path,
                                    library->version()),
                        "install manifest and library together", Code::kConfig});
  }
  return library;
}

void Library::initialise() {
  if (plugin_->init != nullptr) {
    slipway_error error;
    const PluginCall call(id_.c_str(), version_.c_str(), "init", PluginCall::Phase::kStart);
    const slipway_status status = call.run([&] { return plugin_->init(host_, &error); });
    if (status < 0) {
      const std::string reason = error.message.empty() ? "no reason given" : error.message;
      if (error.message.empty() && error.hint.empty()) error.hint = kReasonIsMissing;
      error.message = fmt::format("plug-in {} {} cannot initialise: {} [{}]", id_, version(),
                                  reason, status_text(status));
    }
    throw_if_failed(status, error, path_);
  }
  initialised_ = true;
}

const slipway_provider* Library::provider(std::string_view kind, std::string_view name) const {
  for (std::size_t i = 0; i < plugin_->providers.count; ++i) {
    const slipway_provider* candidate = SLIPWAY_AT(plugin_->providers, slipway_provider, i);
    if (abi::text(candidate->kind) == kind && abi::text(candidate->name) == name) return candidate;
  }
  return nullptr;
}

void* Library::create(const Provider& wanted, const slipway_host* host, const slipway_call& call,
                      std::string_view session) const {
  const slipway_provider* found = provider(kind(wanted.group), wanted.entry);
  if (found == nullptr) {
    throw Error(
        Code::kAbi,
        fmt::format("the library does not provide the {} {}", noun(wanted.group), wanted.entry), {},
        path_);
  }
  auto args = abi::sized<slipway_create_args>();
  args.entry = abi::view(wanted.entry);
  args.name = abi::view(wanted.name);
  args.session = abi::view(session);
  args.config_json = abi::view(wanted.config_json);
  slipway_error error;
  void* object = nullptr;
  const PluginCall marked(id_.c_str(), version_.c_str(), "create", PluginCall::Phase::kStart);
  const slipway_status status =
      marked.run([&] { return found->create(host, &call, &args, &object, &error); });
  throw_if_failed(status, error, id_);
  if (object == nullptr)
    throw Error(Code::kAbi, "create succeeded without an object", "this is an error in the plug-in",
                id_);
  return object;
}

std::vector<std::string> Library::names(std::string_view kind) const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < plugin_->providers.count; ++i) {
    const slipway_provider* candidate = SLIPWAY_AT(plugin_->providers, slipway_provider, i);
    if (abi::text(candidate->kind) == kind) out.emplace_back(abi::text(candidate->name));
  }
  return out;
}

std::string Library::provided_text() const {
  std::string text;
  for (std::size_t i = 0; i < plugin_->providers.count; ++i) {
    const slipway_provider* candidate = SLIPWAY_AT(plugin_->providers, slipway_provider, i);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", abi::text(candidate->kind),
                        abi::text(candidate->name));
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace slipway::registry
