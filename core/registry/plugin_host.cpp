#include "core/registry/plugin_host.hpp"

#include <utility>

#include "core/registry/calls/call_context.hpp"
#include "core/spec/name_rule.hpp"
#include "core/spec/problem.hpp"
#include "sdk/support/directory_maker.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {

void PluginHost::log(LogLevel level, std::string_view message) const noexcept {
  try {
    if (services_->log) services_->log(level, {}, message);
  } catch (...) {  // a message that cannot be logged is dropped
  }
}

PluginHost::PluginHost(SearchOptions options, Log log)
    : registry_(std::move(options)), services_(std::make_shared<HostServices>()) {
  services_->log = std::move(log);
  services_->state_dir = &default_state_dir;
  services_->device = [this](std::string_view name) { return registry_.find_device(name); };
  services_->open_image_provider = [this](std::string_view name, const slipway_cancel* cancel) {
    PluginImageProvider provider = image_provider(name, cancel);
    const auto locked = registry_.lock();
    const slipway_host* host = host_table(provider.plugin_id());
    auto lent = std::make_unique<LentImageProvider>(std::move(provider), host);
    slipway_image_provider* object = lent->get();
    lent_image_providers_.emplace(object, std::move(lent));
    return object;
  };
  services_->close_image_provider = [this](slipway_image_provider* provider) {
    auto locked = registry_.lock();
    const auto closed = lent_image_providers_.extract(provider);
    locked.unlock();  // the destructor of `closed` calls the plug-in
  };
}

void PluginHost::serve_named_resources(std::function<Resource(std::string_view name)> find) {
  services_->named_resource = [this, find = std::move(find)](std::string_view name) {
    const auto locked = registry_.lock();
    return find(name);
  };
}

const slipway_host* PluginHost::host_table(const std::string& plugin_id) {
  auto& table = tables_[plugin_id];
  if (table == nullptr) table = make_host_table(plugin_id, services_);
  return table;
}

std::string PluginHost::state_dir(std::string_view scheduler) const {
  const std::string* own = find(state_dirs_, scheduler);
  if (own == nullptr) own = find(state_dirs_, "*");
  return own != nullptr ? *own : default_state_dir();
}

void PluginHost::make_state_dir(std::string_view scheduler) const {
  try {
    DirectoryMaker("state directory", kStateHint)
        .open_path(state_dir(scheduler), 0700, /*check_place=*/false);
  } catch (const Error&) {
    // A scheduler that keeps its state elsewhere needs no directory. Others report that it is
    // missing.
  }
}

// Returns the host table for one provider. If state directories are set, each scheduler has its own
// table, which returns its directory.
const slipway_host* PluginHost::host_table_for(const Provider& provider) {
  const std::string& id = provider.plugin->id;
  if (provider.group != Group::kSchedulers || state_dirs_.empty()) return host_table(id);
  auto& table = tables_[id + "\n" + provider.name];
  if (table == nullptr) table = make_host_table(id, services_, state_dir(provider.name));
  return table;
}

PluginHost::Created PluginHost::create(Group group, std::string_view name, std::string_view session,
                                       const slipway_cancel* cancel) {
  auto locked = registry_.lock();
  const Provider provider = registry_.find_provider(group, name);
  std::shared_ptr<Library> library =
      registry_.library_of(provider, host_table(provider.plugin->id));
  const slipway_host* host = host_table_for(provider);
  locked.unlock();
  void* object = library->create(provider, host, call_context(cancel), session);
  return {std::move(library), object};
}

PluginScheduler PluginHost::scheduler(std::string_view name, std::string_view session) {
  const std::string fault = session.empty() ? std::string() : spec::name_fault(session);
  if (!fault.empty()) {
    throw Error(Code::kNotFound, "there is no session " + spec::quoted(session),
                "no session can have this name: it " + fault);
  }
  Created made = create(Group::kSchedulers, name, session);
  return {std::move(made.library), static_cast<slipway_scheduler*>(made.object), std::string(name)};
}

PluginImageProvider PluginHost::image_provider(std::string_view name_or_url,
                                               const slipway_cancel* cancel) {
  const std::size_t scheme = name_or_url.find("://");
  const std::string_view name = name_or_url.substr(0, scheme);
  Created made = [&] {
    try {
      return create(Group::kImageProviders, name, {}, cancel);
    } catch (const Error& error) {
      // kMorePlaces is the hint if no provider has this name or a similar one.
      if (error.code() != Code::kNotFound || error.hint() != kMorePlaces) throw;
      // Users may not know that the scheme of an image is the name of a provider.
      throw Error(error.code(),
                  scheme == std::string_view::npos
                      ? error.message()
                      : "image \"" + std::string(name_or_url) + "\": " + error.message(),
                  "a plug-in provides images of a scheme by listing it in its manifest: "
                  "image_providers = [\"" +
                      std::string(name) + "\"] under [plugin.provides]");
    }
  }();
  PluginImageProvider out{std::move(made.library),
                          static_cast<slipway_image_provider*>(made.object)};
  out.require_functions();
  return out;
}

PluginResources PluginHost::resources(std::string_view name) {
  Created made = create(Group::kNamedResources, name, {});
  return {std::move(made.library), static_cast<slipway_named_resources*>(made.object)};
}

PluginComponents PluginHost::components(std::string_view name) {
  Created made = create(Group::kComponents, name, {});
  return {std::move(made.library), static_cast<slipway_components*>(made.object)};
}

PluginWorkspace PluginHost::workspace(std::string_view name) {
  Created made = create(Group::kWorkspaces, name, {});
  return {std::move(made.library), static_cast<slipway_workspace*>(made.object)};
}

}  // namespace slipway::registry
