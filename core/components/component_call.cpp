#include "core/components/component_call.hpp"

#include <utility>

#include "slipway/error.hpp"

namespace slipway::components {

ComponentCall split_call(StrList words, const std::string& default_component) {
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
  if (words.empty() || (words.front().size() > 1 && words.front().front() == '-')) {
    if (default_component.empty()) {
      throw Error(Code::kUsage, "`slipway run` needs an APP",
                  "give an app file (.toml, .json), a component such as utils.echo, or - for JSON "
                  "on standard input");
    }
    return {default_component, std::move(words)};
  }
  ComponentCall out{std::move(words.front()), {}};
  words.erase(words.begin());
  out.args = std::move(words);
  return out;
}

}  // namespace slipway::components
