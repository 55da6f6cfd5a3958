#include "slipway/hosted_image_provider.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>

#include "tests/unit/sdk/recording_host.hpp"

namespace slipway {
namespace {

using sdk_test::RecordingHost;

slipway_status root_of(slipway_image_provider*, const slipway_call*, slipway_str image,
                       slipway_on_image on_image, void* ctx, slipway_error*) {
  auto out = abi::sized<slipway_image>();
  out.root = image;
  return on_image(ctx, &out);
}

// A host with one image provider, whose functions a test may replace.
struct Images {
  Images() {
    table.struct_size = sizeof table;
    table.resolve = root_of;
    table.fetch = root_of;
    opened = 0;
    lent = &object;
    host.image_providers = &kService;
  }

  HostedImageProvider open() { return {Host(host.table()), "any", Call()}; }

  static slipway_status open_lent(const slipway_host*, const slipway_call*, slipway_str,
                                  slipway_image_provider** out, slipway_error*) {
    ++opened;
    *out = lent;
    return SLIPWAY_OK;
  }
  static void close_lent(const slipway_host*, slipway_image_provider*) { --opened; }

  static constexpr slipway_host_image_providers kService = {sizeof(slipway_host_image_providers), 0,
                                                            &open_lent, &close_lent};
  inline static slipway_image_provider* lent = nullptr;
  inline static int opened = 0;

  RecordingHost host;
  slipway_image_provider_vtbl table{};
  slipway_image_provider object{&table};
};

/// Returns the code of the Error that `body` throws, or kInternal if it throws none.
template <class Body>
Code code_of(Body body) {
  try {
    body();
  } catch (const Error& error) {
    return error.code();
  }
  return Code::kInternal;
}

BOOST_AUTO_TEST_SUITE(HostedImages)

BOOST_FIXTURE_TEST_CASE(provider_is_returned_to_the_host, Images) {
  {
    const HostedImageProvider images = open();
    BOOST_TEST(opened == 1);
  }
  BOOST_TEST(opened == 0);
}

BOOST_FIXTURE_TEST_CASE(provider_needs_only_two_functions, Images) {
  HostedImageProvider hosted = open();
  ImageProvider& images = hosted;
  StrDict env;
  const Role role = Role("r").runs("main", {"x"}).on("/img").with_env("A", "1");
  BOOST_TEST(images.resolve("/a", Call()) == "/a");
  BOOST_TEST(images.fetch_role(role, env, Call()) == "/img");
  BOOST_TEST(images.entrypoint("/img", role, Call()) == "main");
  BOOST_TEST(!images.cwd("/img", Call()));
  BOOST_TEST(!images.use_lock("/img", Call()));
  const ReplicaParam param = images.replica_param("/img", role, Call());
  BOOST_TEST((param.args == StrList{"main", "x"}));
  BOOST_TEST((param.env == role.env));
  BOOST_TEST(!param.cwd);
}

BOOST_FIXTURE_TEST_CASE(optional_functions_of_a_provider_are_used, Images) {
  table.fetch_role = [](slipway_image_provider*, const slipway_call*, const slipway_role*,
                        slipway_on_image on_image, void* ctx, slipway_error*) {
    const slipway_kv variable{abi::view("NEW"), abi::view("1")};
    auto out = abi::sized<slipway_image>();
    out.root = abi::view("/root");
    out.env = {&variable, 1, sizeof variable};
    return on_image(ctx, &out);
  };
  table.get_cwd = [](slipway_image_provider*, const slipway_call*, slipway_str,
                     slipway_on_str on_cwd, void* ctx,
                     slipway_error*) { return on_cwd(ctx, abi::view("")); };
  table.get_entrypoint = [](slipway_image_provider*, const slipway_call*, slipway_str root,
                            const slipway_role*, slipway_on_str on_program, void* ctx,
                            slipway_error*) { return on_program(ctx, root); };
  table.get_use_lock = [](slipway_image_provider*, const slipway_call*, slipway_str image,
                          slipway_on_str on_path, void* ctx,
                          slipway_error*) { return on_path(ctx, image); };
  HostedImageProvider images = open();
  BOOST_TEST((images.use_lock("/lock", Call()) == std::optional<std::string>("/lock")));
  StrDict env = {{"OLD", "0"}};
  BOOST_TEST(images.fetch_role(Role("r"), env, Call()) == "/root");
  BOOST_TEST((env == StrDict{{"OLD", "0"}, {"NEW", "1"}}));
  BOOST_TEST(images.entrypoint("/root", Role("r"), Call()) == "/root");
  // An empty directory differs from a missing one.
  BOOST_TEST((images.cwd("x", Call()) == std::optional<std::string>("")));
  const ReplicaParam param = images.replica_param("/root", Role("r"), Call());
  BOOST_TEST((param.args == StrList{"/root"}));
}

BOOST_FIXTURE_TEST_CASE(provider_that_returns_no_image_and_no_error_is_broken, Images) {
  table.resolve = [](slipway_image_provider*, const slipway_call*, slipway_str, slipway_on_image,
                     void*, slipway_error*) { return slipway_status{SLIPWAY_OK}; };
  table.fetch = table.resolve;
  table.fetch_role = [](slipway_image_provider*, const slipway_call*, const slipway_role*,
                        slipway_on_image, void*,
                        slipway_error*) { return slipway_status{SLIPWAY_OK}; };
  HostedImageProvider images = open();
  StrDict env;
  BOOST_TEST((code_of([&] { images.resolve("/a", Call()); }) == Code::kAbi));
  BOOST_TEST((code_of([&] { images.fetch("/a", Call()); }) == Code::kAbi));
  BOOST_TEST((code_of([&] { images.fetch_role(Role("r"), env, Call()); }) == Code::kAbi));
}

BOOST_FIXTURE_TEST_CASE(provider_without_resolve_and_fetch_is_unimplemented, Images) {
  table.resolve = nullptr;
  table.struct_size = SLIPWAY_FIELD_END(slipway_image_provider_vtbl, resolve);
  HostedImageProvider images = open();
  BOOST_TEST((code_of([&] { images.resolve("/a", Call()); }) == Code::kUnimplemented));
  BOOST_TEST((code_of([&] { images.fetch("/a", Call()); }) == Code::kUnimplemented));
}

BOOST_FIXTURE_TEST_CASE(host_without_the_service_is_unimplemented, Images) {
  host.image_providers = nullptr;
  BOOST_TEST((code_of([&] { open(); }) == Code::kUnimplemented));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
