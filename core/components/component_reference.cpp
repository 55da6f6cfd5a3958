#include "core/components/component_reference.hpp"

namespace slipway::components {
namespace {

bool is_document(std::string_view path) {
  return path.ends_with(".toml") || path.ends_with(".json");
}

}  // namespace

ComponentReference parse_reference(std::string_view text) {
  if (is_document(text)) return {std::string(text), {}};
  const std::size_t colon = text.find_last_of(':');
  if (colon != std::string_view::npos && is_document(text.substr(0, colon)))
    return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
  return {{}, std::string(text)};
}

}  // namespace slipway::components
