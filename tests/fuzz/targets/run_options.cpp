#include "core/runner/run_options.hpp"

#include "sdk/support/value_text.hpp"
#include "slipway/error.hpp"
#include "tests/fuzz/target.hpp"

namespace {

using slipway::ValueType;

slipway::RunOpts declared() {
  slipway::RunOpts out;
  for (const auto& [name, type] :
       {std::pair{"text", ValueType::kStr}, std::pair{"count", ValueType::kInt},
        std::pair{"rate", ValueType::kFloat}, std::pair{"flag", ValueType::kBool},
        std::pair{"items", ValueType::kList}, std::pair{"pairs", ValueType::kDict}}) {
    out.add({name, type, "", false, {}});
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const slipway::RunOpts kDeclared = declared();
  try {
    const slipway::Dict<slipway::Value> given =
        slipway::parse_options(kDeclared, slipway::fuzz::text_of(data, size)).values;
    const slipway::Cfg cfg = slipway::resolve_options(kDeclared, given);
    // Reads every value, so that the sanitizers see a damaged one.
    for (const auto& [name, value] : cfg.values()) slipway::to_text(value);
  } catch (const slipway::Error&) {
    // The input is refused.
  }
  return 0;
}
