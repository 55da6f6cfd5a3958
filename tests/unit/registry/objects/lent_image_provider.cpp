#include "core/registry/objects/lent_image_provider.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "tests/unit/registry/objects/object_fixture.hpp"

namespace slipway::registry {
namespace {

using test::any_library;

/// Returns the plug-in and the function of the innermost call of this thread, or nothing.
std::string place() {
  const PluginCall* call = PluginCall::current();
  return call == nullptr ? "" : std::string(call->plugin_id()) + " " + call->call();
}

std::string in_provider;  // the places in which the functions below ran last
std::string in_callback;

slipway_status note_place(void* ctx, const slipway_image* image) {
  in_callback = place();
  *static_cast<std::string*>(ctx) = abi::str(image->root);
  // No other function here returns this status by itself, so the tests see that it is passed on.
  return SLIPWAY_END;
}

slipway_status root_of_image(slipway_image_provider*, const slipway_call*, slipway_str image,
                             slipway_on_image on_image, void* ctx, slipway_error*) {
  in_provider = place();
  auto out = abi::sized<slipway_image>();
  out.root = image;
  return on_image(ctx, &out);
}

// A provider with only `resolve` and `fetch`, as a scheduler of another plug-in gets it.
struct Lent {
  Lent() {
    table.struct_size = SLIPWAY_FIELD_END(slipway_image_provider_vtbl, fetch);
    table.resolve = root_of_image;
    table.fetch = root_of_image;
  }
  /// Lends `object`, whose table must not change later.
  slipway_image_provider* lend() {
    lent.emplace(PluginImageProvider(any_library(host), &object), host.table());
    return lent->get();
  }
  slipway_status resolve(slipway_image_provider* provider) {
    const PluginCall of_scheduler("org.example.scheduler", "2.0", "submit_dryrun");
    const slipway_status status =
        provider->vtbl->resolve(provider, nullptr, abi::view("/x"), note_place, &root, &error);
    BOOST_TEST(place() == "org.example.scheduler submit_dryrun");
    return status;
  }

  test::RecordingHost host;
  slipway_image_provider_vtbl table{};
  slipway_image_provider object{&table};
  std::optional<LentImageProvider> lent;
  std::string root;
  slipway_error error;
};

BOOST_FIXTURE_TEST_SUITE(LentImages, Lent)

BOOST_AUTO_TEST_CASE(call_belongs_to_the_provider_and_its_callback_to_the_scheduler) {
  BOOST_TEST(resolve(lend()) == SLIPWAY_END);
  BOOST_TEST(root == "/x");
  BOOST_TEST(in_provider == "org.example.good resolve");
  BOOST_TEST(in_callback == "org.example.scheduler submit_dryrun");
}

BOOST_AUTO_TEST_CASE(exception_becomes_an_error_that_names_the_plugin) {
  table.resolve = [](slipway_image_provider*, const slipway_call*, slipway_str, slipway_on_image,
                     void*, slipway_error*) -> slipway_status {
    throw std::runtime_error("no images today");
  };
  BOOST_TEST(resolve(lend()) == SLIPWAY_E_INTERNAL);
  BOOST_TEST(error.message ==
             "org.example.good 1.0.0 threw an exception out of resolve: no images today");
  BOOST_TEST(error.hint.find("[plugins.\"org.example.good\"]") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(functions_that_a_provider_lacks_are_not_lent) {
  // Functions beyond the struct_size are lacking, whatever the memory there has.
  table.get_cwd = [](auto...) { return slipway_status{SLIPWAY_OK}; };
  const slipway_image_provider_vtbl& seen = *lend()->vtbl;
  BOOST_TEST(seen.struct_size == sizeof seen);
  BOOST_TEST(!abi::has(seen, &slipway_image_provider_vtbl::fetch_role));
  BOOST_TEST(!abi::has(seen, &slipway_image_provider_vtbl::get_entrypoint));
  BOOST_TEST(!abi::has(seen, &slipway_image_provider_vtbl::get_cwd));
  BOOST_TEST(!abi::has(seen, &slipway_image_provider_vtbl::get_replica_param));
  BOOST_TEST(!abi::has(seen, &slipway_image_provider_vtbl::get_use_lock));
}

BOOST_AUTO_TEST_CASE(all_functions_except_extensions_reach_the_provider) {
  static std::string reached;
  reached.clear();
  table.struct_size = sizeof table;
  table.resolve = [](auto...) { return reached += "resolve ", slipway_status{SLIPWAY_OK}; };
  table.fetch = [](auto...) { return reached += "fetch ", slipway_status{SLIPWAY_OK}; };
  table.fetch_role = [](auto...) { return reached += "role ", slipway_status{SLIPWAY_OK}; };
  table.get_entrypoint = [](auto...) {
    return reached += "entrypoint ", slipway_status{SLIPWAY_OK};
  };
  table.get_cwd = [](auto...) { return reached += "cwd ", slipway_status{SLIPWAY_OK}; };
  table.get_replica_param = [](auto...) { return reached += "param ", slipway_status{SLIPWAY_OK}; };
  table.get_use_lock = [](auto...) { return reached += "lock ", slipway_status{SLIPWAY_OK}; };
  table.get_extension = [](slipway_image_provider*, slipway_str) -> const void* {
    return &reached;
  };
  slipway_image_provider* self = lend();
  const slipway_image_provider_vtbl& seen = *self->vtbl;
  const slipway_str text = abi::view("/x");
  const auto role = abi::sized<slipway_role>();
  seen.resolve(self, nullptr, text, nullptr, nullptr, nullptr);
  seen.fetch(self, nullptr, text, nullptr, nullptr, nullptr);
  seen.fetch_role(self, nullptr, &role, nullptr, nullptr, nullptr);
  seen.get_entrypoint(self, nullptr, text, &role, nullptr, nullptr, nullptr);
  seen.get_cwd(self, nullptr, text, nullptr, nullptr, nullptr);
  seen.get_replica_param(self, nullptr, text, &role, nullptr, nullptr, nullptr);
  seen.get_use_lock(self, nullptr, text, nullptr, nullptr, nullptr);
  BOOST_TEST(reached == "resolve fetch role entrypoint cwd param lock ");
  BOOST_TEST((seen.get_extension == nullptr));
}

BOOST_AUTO_TEST_CASE(only_the_host_ends_the_provider) {
  static int ended = 0;
  ended = 0;
  table.destroy = [](slipway_image_provider*) { ++ended; };
  slipway_image_provider* self = lend();
  if (self->vtbl->destroy != nullptr) self->vtbl->destroy(self);
  BOOST_TEST(ended == 0);
  lent.reset();
  BOOST_TEST(ended == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
