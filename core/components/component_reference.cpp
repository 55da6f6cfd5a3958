#include "core/components/component_reference.hpp"

#include <algorithm>

namespace slipway::components {

ComponentReference parse_reference(std::string_view text, const StrList& extensions) {
  const auto is_file = [&](std::string_view path) {
    return std::any_of(extensions.begin(), extensions.end(), [&](std::string_view extension) {
      return path.size() > extension.size() + 1 && path.ends_with(extension) &&
             path[path.size() - extension.size() - 1] == '.';
    });
  };
  if (is_file(text)) return {std::string(text), {}};
  const std::size_t colon = text.find_last_of(':');
  if (colon != std::string_view::npos && is_file(text.substr(0, colon)))
    return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
  return {{}, std::string(text)};
}

}  // namespace slipway::components
