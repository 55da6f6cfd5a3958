#include "core/registry/manifest.hpp"

#include "slipway/error.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace registry = slipway::registry;
  // A manifest never throws: what is wrong with it is one of its problems.
  std::vector<slipway::spec::Problem> problems;
  registry::parse_manifest(slipway::fuzz::text_of(data, size), "/nowhere/input.toml",
                           registry::Origin::kUser, problems);
  for (const slipway::spec::Problem& problem : problems) {
    slipway::fuzz::require(slipway::spec::to_string(problem).find('\n') == std::string::npos,
                           "a problem is one line");
  }
  return 0;
}
