#include "core/registry/inline_resource.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "core/spec/near_name.hpp"
#include "core/spec/resource_copy.hpp"
#include "core/spec/resource_table.hpp"
#include "slipway/error.hpp"

namespace slipway::registry {
namespace {

// [named_resources.gpu.small] is TOML for a table `small` inside of `gpu`, which is never what was
// meant.
bool looks_like_an_unquoted_name(const spec::Node& table) {
  return !table.entries.empty() &&
         std::all_of(table.entries.begin(), table.entries.end(), [](const auto& entry) {
           return entry.value.type == spec::NodeType::kTable && entry.key != "capabilities" &&
                  entry.key != "devices" && entry.key != "tags";
         });
}

const std::vector<std::string_view>& known_keys() {
  static const std::vector<std::string_view> keys = [] {
    std::vector<std::string_view> all = spec::resource_keys();
    all.emplace_back("inherits");
    return all;
  }();
  return keys;
}

class ResourceReader {
 public:
  ResourceReader(const std::string& file, Origin origin) : file_(file), reader_(file_, problems_) {
    resource_.origin = origin;
  }

  InlineResource read(spec::NodeEntry& named, const spec::KeyPath& parent, spec::ProblemList& out) {
    const spec::KeyPath path(parent, named.key);
    resource_.name = named.key;
    resource_.source = {file_, named.key_at.line, named.key_at.column};
    if (named.key.empty()) {
      reader_.error(named.key_at, path, "a resource needs a name");
    } else if (reader_.table(named.value, path)) {
      if (looks_like_an_unquoted_name(named.value)) {
        const spec::NodeEntry& inner = named.value.entries.front();
        reader_.error(inner.key_at, path, "holds tables and no resource",
                      fmt::format("a name with a dot needs quotes: [named_resources.\"{}.{}\"]",
                                  named.key, inner.key));
      } else {
        read_entries(named.value, path);
      }
    }
    for (spec::Problem& problem : problems_.in_order()) {
      if (problem.code == Code::kInvalid) problem.code = Code::kConfig;
      if (!resource_.error && problem.severity == spec::Severity::kError) resource_.error = problem;
      out.add(std::move(problem));
    }
    return std::move(resource_);
  }

 private:
  void read_entries(spec::Node& table, const spec::KeyPath& path) {
    spec::ResourceMarks marks;
    const spec::NodeEntry* memory = nullptr;
    for (spec::NodeEntry& entry : table.entries) {
      const spec::KeyPath key(path, entry.key);
      if (entry.key == "inherits") {
        resource_.inherits_source = {file_, entry.value.at.line, entry.value.at.column};
        if (reader_.string(entry.value, key, resource_.inherits) && resource_.inherits.empty()) {
          reader_.error(entry.value.at, key, "expected the name of a resource, found an empty one");
        }
        continue;
      }
      if (entry.key == "memMB" || entry.key == "mem") {
        if (memory != nullptr) {
          reader_.error(entry.key_at, key,
                        fmt::format("the memory is given already, by `{}`", memory->key));
        }
        memory = &entry;
      }
      if (!spec::read_resource_entry(entry, path, reader_, resource_.own, marks)) {
        reader_.warning(entry.key_at, key, "unknown key (ignored)",
                        spec::did_you_mean(entry.key, known_keys()));
      }
    }
    check_counts(marks, path);
  }

  // -1 means "not said" inside of Slipway, so a file cannot say it.
  void check_counts(const spec::ResourceMarks& marks, const spec::KeyPath& path) {
    const auto check = [&](spec::Mark at, std::int64_t count, const spec::KeyPath& key) {
      // A value of the wrong type was reported already, and the list of problems keeps one error
      // for a key.
      if (at.line != 0 && count < 0)
        reader_.error(at, key, fmt::format("expected 0 or more, found {}", count));
    };
    check(marks.cpu, resource_.own.cpu, spec::KeyPath(path, "cpu"));
    check(marks.gpu, resource_.own.gpu, spec::KeyPath(path, "gpu"));
    check(marks.mem_mb, resource_.own.mem_mb, spec::KeyPath(path, "memMB"));
    const spec::KeyPath devices(path, "devices");
    for (std::size_t i = 0; i < marks.devices.size() && i < resource_.own.devices.size(); ++i) {
      check(marks.devices[i], resource_.own.devices[i].second,
            spec::KeyPath(devices, resource_.own.devices[i].first));
    }
  }

  const std::string& file_;
  spec::ProblemList problems_;
  spec::FieldReader reader_;
  InlineResource resource_;
};

void throw_if_wrong(const InlineResource& resource) {
  if (!resource.error) return;
  throw Error(Code::kConfig,
              fmt::format("the resource \"{}\" is not usable: {}: {}", resource.name,
                          resource.error->key, resource.error->message),
              resource.error->hint, spec::to_string(resource.error->where));
}

// `base` with what `own` says laid over it.
Resource lay_over(const Resource& base, const Resource& own) {
  const boost::json::value own_capabilities = own.capabilities_json.empty()
                                                  ? boost::json::value(boost::json::object())
                                                  : boost::json::parse(own.capabilities_json);
  Resource merged = spec::copy_resource(base, own_capabilities.as_object());
  if (own.cpu != -1) merged.cpu = own.cpu;
  if (own.gpu != -1) merged.gpu = own.gpu;
  if (own.mem_mb != -1) merged.mem_mb = own.mem_mb;
  for (const auto& [device, count] : own.devices) slipway::set(merged.devices, device, count);
  merged.tags_json = own.tags_json;
  return merged;
}

}  // namespace

std::vector<InlineResource> read_inline_resources(spec::Node& tables, const std::string& file,
                                                  Origin origin, spec::ProblemList& problems) {
  std::vector<InlineResource> resources;
  const spec::KeyPath root;
  const spec::KeyPath path(root, "named_resources");
  spec::FieldReader reader(file, problems);
  if (!reader.table(tables, path)) return resources;
  resources.reserve(tables.entries.size());
  for (spec::NodeEntry& named : tables.entries) {
    resources.push_back(ResourceReader(file, origin).read(named, path, problems));
  }
  return resources;
}

ResolvedResource resolve_inline_resource(const InlineResource& resource,
                                         const InlineLookup& inlined, const BaseLookup& external) {
  std::vector<const InlineResource*> chain = {&resource};
  ResolvedResource resolved;
  resolved.source = resource.source;
  std::optional<Resource> base;
  throw_if_wrong(resource);
  while (!chain.back()->inherits.empty()) {
    const InlineResource& heir = *chain.back();
    resolved.inherited.push_back(heir.inherits);
    const InlineResource* next = inlined(heir.inherits);
    if (next == nullptr) {
      if (external) base = external(heir.inherits);
      if (base) break;
      throw Error(Code::kConfig,
                  fmt::format("the resource \"{}\" inherits from \"{}\", which does not exist",
                              heir.name, heir.inherits),
                  "name a resource of a manifest or plug-in on the search path",
                  spec::to_string(heir.inherits_source));
    }
    if (std::find(chain.begin(), chain.end(), next) != chain.end()) {
      std::string path = resource.name;
      for (const std::string& name : resolved.inherited) path += " -> " + name;
      throw Error(Code::kConfig,
                  fmt::format("the resource \"{}\" inherits from itself: {}", next->name, path),
                  "take one `inherits` of this circle out", spec::to_string(heir.inherits_source));
    }
    throw_if_wrong(*next);
    chain.push_back(next);
  }
  if (!base) {
    base = chain.back()->own;
    chain.pop_back();
  }
  for (; !chain.empty(); chain.pop_back()) base = lay_over(*base, chain.back()->own);
  resolved.resource = std::move(*base);
  return resolved;
}

}  // namespace slipway::registry
