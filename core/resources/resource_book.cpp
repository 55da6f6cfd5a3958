#include "core/resources/resource_book.hpp"

#include <algorithm>
#include <utility>

#include "core/spec/near_name.hpp"
#include "core/spec/problem.hpp"
#include "slipway/error.hpp"

namespace slipway::resources {

const std::map<std::string, Resource, std::less<>>& ResourceBook::provided() {
  if (provided_) return *provided_;
  provided_.emplace();
  for (const std::string& provider : host_.registry().names(registry::Group::kNamedResources)) {
    try {
      for (auto& [name, resource] : host_.resources(provider).list())
        provided_->emplace(name, std::move(resource));
    } catch (const Error& error) {
      unavailable_.push_back("named-resource provider " + provider + ": " + error.message());
    }
  }
  return *provided_;
}

std::optional<Resource> ResourceBook::find(std::string_view name) {
  const auto from_plugin = [this](std::string_view wanted) -> std::optional<Resource> {
    const auto& all = provided();
    const auto found = all.find(wanted);
    return found != all.end() ? std::optional<Resource>(found->second) : std::nullopt;
  };
  if (auto inlined = host_.registry().find_inline_resource(name, from_plugin))
    return std::move(inlined->resource);
  return from_plugin(name);
}

Resource ResourceBook::get(std::string_view name) {
  if (auto found = find(name)) return *std::move(found);
  const std::vector<std::string> known = names();
  std::string hint = spec::did_you_mean(name, known);
  for (const std::string& other : unavailable_) hint += (hint.empty() ? "" : "; ") + other;
  throw Error(Code::kNotFound, "unknown resource " + spec::quoted(name), std::move(hint));
}

std::vector<std::string> ResourceBook::names() {
  std::vector<std::string> out;
  for (const registry::InlineResource& resource : host_.registry().inline_resources())
    out.push_back(resource.name);
  for (const auto& [name, resource] : provided()) out.push_back(name);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace slipway::resources
