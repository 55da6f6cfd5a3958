#include "core/spec/resolve_resources.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "core/spec/near_name.hpp"

namespace slipway::spec {
namespace {

// The resource of a name, or the reason why the name has none.
struct Lookup {
  std::optional<NamedResource> resource;
  std::string message;
  std::string hint;
  Code code = Code::kNotFound;
  std::string_view rule = rule::kUnknownResource;
};

// Lists the known names, but no more than a person will read. If some begin as `wanted` does, up to
// its first dot or underscore, lists only those.
std::string known_resources(const std::vector<std::string>& names, const std::string& wanted) {
  constexpr std::size_t kMostListed = 12;
  if (names.empty()) return "no named resource is known";
  const std::size_t separator = wanted.find_first_of("._");
  const std::string family =
      separator == std::string::npos ? std::string() : wanted.substr(0, separator + 1);
  std::vector<std::string> near;
  std::copy_if(names.begin(), names.end(), std::back_inserter(near),
               [&](const std::string& name) { return name.starts_with(family); });
  const std::vector<std::string>& listed = near.empty() ? names : near;
  std::string out;
  for (std::size_t i = 0; i < listed.size() && i < kMostListed; ++i)
    out += (i == 0 ? "" : ", ") + listed[i];
  if (listed.size() > kMostListed) out += ", ...";
  if (listed.size() == names.size() && names.size() <= kMostListed)
    return "the known resources are " + out;
  return "known resources are " + out + "; `slipway resource list` prints all";
}

}  // namespace

void resolve_resources(AppFile& file, const ResourceResolver& resolver,
                       const ResourceNames& known_names, ProblemList& problems) {
  std::unordered_map<std::string, Lookup> lookups;
  std::optional<std::vector<std::string>> names;

  const auto look_up = [&](const std::string& name) {
    Lookup lookup;
    try {
      lookup.resource = resolver(name);
      if (lookup.resource) return lookup;
      if (!names) names = known_names ? known_names() : std::vector<std::string>();
      lookup.message = "unknown resource " + quoted(name);
      lookup.hint = did_you_mean(name, *names);
      if (lookup.hint.empty()) lookup.hint = known_resources(*names, name);
    } catch (const Error& error) {
      lookup.message = "cannot look up the resource " + quoted(name) + ": " + error.message();
      lookup.hint = error.hint();
      lookup.code = error.code();
      lookup.rule = rule::kBrokenResource;
    }
    return lookup;
  };

  for (std::size_t i = 0; i < file.resource_names.size(); ++i) {
    std::string& name = file.resource_names[i];
    if (name.empty()) continue;
    auto known = lookups.find(name);
    if (known == lookups.end()) known = lookups.emplace(name, look_up(name)).first;
    const Lookup& lookup = known->second;
    const Mark at = file.marks[i].at("resource");
    const Position where{file.source, at.line, at.column};
    const std::string key = "roles[" + std::to_string(i) + "].resource";
    if (lookup.resource) {
      Role& role = file.app.roles[i];
      role.resource = lookup.resource->resource;
      for (const auto& [scheduler, resource] : lookup.resource->on_schedulers)
        role.require(resource, scheduler);
      if (!lookup.resource->deprecated.empty()) {
        problems.add({Severity::kWarning, where, key, quoted(name) + " is deprecated",
                      lookup.resource->deprecated, Code::kInvalid, rule::kDeprecatedResource});
      }
      name.clear();
      continue;
    }
    problems.add(
        {Severity::kError, where, key, lookup.message, lookup.hint, lookup.code, lookup.rule});
  }
}

}  // namespace slipway::spec
