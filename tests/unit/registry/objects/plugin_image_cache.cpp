#include "core/registry/objects/plugin_image_cache.hpp"

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <string>

#include "slipway/detail/image_provider_thunks.hpp"
#include "tests/unit/registry/objects/object_fixture.hpp"

namespace slipway::registry {
namespace {

using test::any_library;
using test::fail;
using test::throws;

slipway_status image_answer = SLIPWAY_OK;  // of both functions below
std::string removed;                       // the root that remove() got last

slipway_status list_unused(slipway_image_provider*, const slipway_call*,
                           slipway_on_unused_image on_image, void* ctx, slipway_error* err) {
  if (image_answer < 0) return fail(err, image_answer, "not today");
  auto image = abi::sized<slipway_unused_image>();
  image.root = abi::view("/cache/a");
  image.last_used_at_ns = 7;
  if (const slipway_status status = on_image(ctx, &image); status < 0) return status;
  // A plug-in that does not know the time of the last use writes this.
  image.root = abi::view("/cache/b");
  image.last_used_at_ns = SLIPWAY_TIME_UNSET;
  return on_image(ctx, &image);
}

slipway_status remove(slipway_image_provider*, const slipway_call*, slipway_str root,
                      slipway_error* err) {
  if (image_answer < 0) return fail(err, image_answer, "not today");
  removed = abi::str(root);
  return SLIPWAY_OK;
}

slipway_image_provider_cache cache_ability{sizeof(slipway_image_provider_cache), 0, &list_unused,
                                           &remove};

const void* get_extension(slipway_image_provider*, slipway_str id) {
  return abi::text(id) == SLIPWAY_IMAGE_PROVIDER_CACHE ? &cache_ability : nullptr;
}

struct ImagesFixture {
  ImagesFixture() {
    image_answer = SLIPWAY_OK;
    cache_ability.struct_size = sizeof cache_ability;
    table.struct_size = sizeof table;
    table.get_extension = get_extension;
  }

  test::RecordingHost host;
  slipway_image_provider_vtbl table{};
  slipway_image_provider object{&table};
  PluginImageProvider provider{any_library(host), &object};
};

BOOST_FIXTURE_TEST_SUITE(PluginImageCache, ImagesFixture)

BOOST_AUTO_TEST_CASE(images_become_values_and_failures_errors) {
  const std::vector<UnusedImage> images = unused_images(provider);
  BOOST_REQUIRE(images.size() == 2U);
  BOOST_TEST(images[0].root == "/cache/a");
  BOOST_TEST(images[0].last_used_at.value() == 7);
  BOOST_TEST(!images[1].last_used_at.has_value());
  remove_image(provider, "/cache/a");
  BOOST_TEST(removed == "/cache/a");
  image_answer = SLIPWAY_E_PRECONDITION;
  BOOST_TEST(throws(Code::kPrecondition, [&] { unused_images(provider); }));
  BOOST_TEST(throws(Code::kPrecondition, [&] { remove_image(provider, "/cache/a"); }));
}

BOOST_AUTO_TEST_CASE(plugin_without_the_ability_lists_and_removes_no_images) {
  const auto is_unimplemented = [&] {
    return throws(Code::kUnimplemented, [&] { unused_images(provider); }) &&
           throws(Code::kUnimplemented, [&] { remove_image(provider, "/cache/a"); });
  };
  cache_ability.struct_size = offsetof(slipway_image_provider_cache, list_unused);
  BOOST_TEST(is_unimplemented());
  cache_ability.struct_size = sizeof cache_ability;
  table.get_extension = [](slipway_image_provider*, slipway_str) -> const void* { return nullptr; };
  BOOST_TEST(is_unimplemented());
  table.get_extension = nullptr;
  BOOST_TEST(is_unimplemented());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
