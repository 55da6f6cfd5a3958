#include "core/components/component_reference.hpp"

namespace slipway::components {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool is_document(std::string_view path) {
  return ends_with(path, ".toml") || ends_with(path, ".json");
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
