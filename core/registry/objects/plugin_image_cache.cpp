#include "core/registry/objects/plugin_image_cache.hpp"

#include "core/registry/calls/call_context.hpp"
#include "slipway/detail/image_provider_thunks.hpp"

namespace slipway::registry {

namespace {

using Table = slipway_image_provider_cache;

/// Returns the table of the ability if it has `function`, otherwise throws kUnimplemented.
template <class Fn>
const Table& table_with(const PluginImageProvider& provider, Fn Table::*function) {
  const Table* table = nullptr;
  if (provider.has(&slipway_image_provider_vtbl::get_extension)) {
    table = static_cast<const Table*>(provider.call_infallible("get_extension", [&] {
      return provider.table().get_extension(provider.get(),
                                            abi::view(SLIPWAY_IMAGE_PROVIDER_CACHE));
    }));
  }
  if (table == nullptr || !abi::has(*table, function)) {
    throw Error(Code::kUnimplemented, "the image provider keeps no images", {},
                provider.plugin_id());
  }
  return *table;
}

}  // namespace

std::vector<UnusedImage> unused_images(const PluginImageProvider& provider) {
  const Table& table = table_with(provider, &Table::list_unused);
  const slipway_call call = call_context(nullptr);
  std::vector<UnusedImage> out;
  Callback on_image([&](const slipway_unused_image* image) { out.push_back(abi::read(*image)); });
  provider.call("list_unused", on_image, [&](slipway_error* err) {
    return table.list_unused(provider.get(), &call, on_image, &on_image, err);
  });
  return out;
}

void remove_image(const PluginImageProvider& provider, std::string_view root) {
  const Table& table = table_with(provider, &Table::remove);
  const slipway_call call = call_context(nullptr);
  provider.call("remove", [&](slipway_error* err) {
    return table.remove(provider.get(), &call, abi::view(root), err);
  });
}

}  // namespace slipway::registry
