#include "core/components/component_file.hpp"

#include "core/components/component_from_file.hpp"
#include "core/spec/document.hpp"
#include "slipway/error.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace components = slipway::components;
  try {
    slipway::spec::ProblemList problems;
    const components::ComponentFile file = components::read_component_file(
        slipway::spec::parse_toml(slipway::fuzz::text_of(data, size), "input"), "input", problems);
    for (const components::FileComponent& one : file.components) {
      slipway::fuzz::require(one.param_marks.size() == one.info.params.size(),
                             "every parameter has its place");
      for (const components::ParamUse& use : one.uses)
        slipway::fuzz::require(use.at.line > 0, "every use has its place");
    }
  } catch (const slipway::Error&) {
    // The input is refused.
  }
  return 0;
}
