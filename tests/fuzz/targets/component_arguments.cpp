// The first line of the input contains the words of a command line, separated by spaces. The rest
// is the default of the parameter `pairs`.
#include <algorithm>

#include "core/components/arguments.hpp"
#include "slipway/error.hpp"
#include "tests/fuzz/target.hpp"

namespace {

using slipway::ValueType;

slipway::ComponentInfo component() {
  slipway::ComponentInfo info;
  info.name = "some.component";
  const auto add = [&](const char* name, ValueType type, const char* short_name, bool variadic) {
    slipway::ComponentParam param;
    param.name = name;
    param.type = type;
    param.short_name = short_name;
    param.variadic = variadic;
    info.params.push_back(std::move(param));
  };
  add("text", ValueType::kStr, "t", false);
  add("count", ValueType::kInt, "c", false);
  add("rate", ValueType::kFloat, "", false);
  add("flag", ValueType::kBool, "", false);
  add("items", ValueType::kList, "", false);
  add("pairs", ValueType::kDict, "", false);
  add("rest", ValueType::kList, "", true);
  return info;
}

slipway::StrList words_of(std::string_view text) {
  slipway::StrList out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(' ', from), text.size());
    out.emplace_back(text.substr(from, to - from));
    from = to + 1;
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const slipway::ComponentInfo kComponent = component();
  const std::string_view text = slipway::fuzz::text_of(data, size);
  const std::size_t line = std::min(text.find('\n'), text.size());
  slipway::components::ArgumentSources sources;
  sources.words = words_of(text.substr(0, line));
  if (line < text.size())
    sources.defaults.emplace_back("pairs", std::string(text.substr(line + 1)));
  try {
    const slipway::components::Arguments arguments =
        slipway::components::parse_arguments(kComponent, sources);
    slipway::fuzz::require(arguments.values.values().size() == kComponent.params.size(),
                           "every parameter has an entry, even without a value");
  } catch (const slipway::Error&) {
    // The input is refused.
  }
  return 0;
}
