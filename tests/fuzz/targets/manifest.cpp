#include "core/registry/manifests/manifest.hpp"

#include "core/registry/manifests/resource_resolution.hpp"
#include "slipway/error.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace registry = slipway::registry;
  // Reading a manifest never throws; problems are returned.
  std::vector<slipway::spec::Problem> problems;
  const registry::Manifest manifest = registry::parse_manifest(
      slipway::fuzz::text_of(data, size), "/nowhere/input.toml", registry::Origin::kUser, problems);
  const auto find = [&](std::string_view name) -> const registry::InlineResource* {
    for (const registry::InlineResource& resource : manifest.resources) {
      if (resource.name == name) return &resource;
    }
    return nullptr;
  };
  for (const registry::InlineResource& resource : manifest.resources) {
    try {
      registry::resolve_inline_resource(resource, find, {});
    } catch (const slipway::Error& error) {
      slipway::fuzz::require(!error.where().empty(), "an error of a resource has a place");
    }
  }
  for (const slipway::spec::Problem& problem : problems) {
    slipway::fuzz::require(slipway::spec::to_string(problem).find('\n') == std::string::npos,
                           "a problem is one line");
  }
  return 0;
}
