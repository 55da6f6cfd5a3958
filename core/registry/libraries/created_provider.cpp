#include "core/registry/libraries/created_provider.hpp"

#include <string>

#include "core/registry/calls/call_error.hpp"
#include "core/registry/calls/plugin_call.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {

void* create_provider(const Library& library, const slipway_host* host, const Provider& provider,
                      std::string_view session) {
  const slipway_provider* found = library.provider(kind(provider.group), provider.entry);
  if (found == nullptr || found->create == nullptr) {
    throw Error(Code::kAbi,
                "the library does not provide the " + std::string(noun(provider.group)) + " " +
                    provider.entry,
                {}, library.path());
  }
  auto args = abi::sized<slipway_create_args>();
  args.entry = abi::view(provider.entry);
  args.name = abi::view(provider.name);
  args.session = abi::view(session);
  args.config_json = abi::view(provider.config_json);
  slipway_error error;
  void* object = nullptr;
  const PluginCall call(library.id().c_str(), library.version().c_str(), "create");
  const slipway_status status =
      call.run([&] { return found->create(host, &args, &object, &error); });
  throw_if_failed(status, error, library.id());
  if (object == nullptr)
    throw Error(Code::kAbi, "create succeeded without an object", {}, library.id());
  return object;
}

}  // namespace slipway::registry
