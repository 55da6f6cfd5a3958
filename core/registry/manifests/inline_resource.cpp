#include "core/registry/manifests/inline_resource.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/spec/known_keys.hpp"
#include "core/spec/name_rule.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/resource_table.hpp"

namespace slipway::registry {
namespace {

const std::vector<std::string_view>& known_keys() {
  static const std::vector<std::string_view> keys = [] {
    std::vector<std::string_view> all = spec::known_keys<Resource>();
    for (const char* more : {"inherits", "alias_of", "deprecated"}) all.emplace_back(more);
    return all;
  }();
  return keys;
}

// Returns whether the entry is a table with a name of its own: its key neither is nor misspells a
// table that every resource may have.
bool is_named_table(const spec::NodeEntry& entry) {
  static const std::vector<std::string_view> tables = {"capabilities", "devices", "tags"};
  return entry.value.type == spec::NodeType::kTable && !spec::near_name(entry.key, tables);
}

// Returns whether `table` is only a part of names, like `a` in [named_resources.a.b].
bool is_part_of_names(const spec::Node& table) {
  return table.type == spec::NodeType::kTable && !table.entries.empty() &&
         std::all_of(table.entries.begin(), table.entries.end(), is_named_table);
}

class ResourceReader {
 public:
  ResourceReader(const std::string& file, Origin origin) : file_(file), reader_(file_, problems_) {
    resource_.origin = origin;
  }

  InlineResource read(spec::NodeEntry& named, std::string name, const spec::KeyPath& path,
                      spec::ProblemList& out) {
    resource_.name = std::move(name);
    resource_.source = {file_, named.key_at.line, named.key_at.column};
    const std::string fault = spec::hidden_fault(resource_.name);
    if (resource_.name.empty()) {
      reader_.error(named.key_at, path, "a resource needs a name");
    } else if (!fault.empty()) {
      reader_.error(named.key_at, path, "the name " + spec::quoted(resource_.name) + ' ' + fault,
                    "write a name that a terminal shows as it is");
    } else if (reader_.table(named.value, path)) {
      read_entries(named.value, path);
      check_alias(named.value, path);
    }
    for (spec::Problem& problem : problems_.in_order()) {
      problem.code = Code::kConfig;  // FieldReader reports kInvalid, the code of app files
      if (!resource_.error && problem.severity == spec::Severity::kError) resource_.error = problem;
      out.add(std::move(problem));
    }
    return std::move(resource_);
  }

 private:
  /// The fields of one table: the resource's own or a variant's.
  struct Fields {
    Resource& own;                            // the values
    FieldMarks& kept_marks;                   // places that the InlineResource keeps
    spec::TableMarks marks;                   // places for check_counts()
    const spec::NodeEntry* memory = nullptr;  // the entry `memMB` or `mem`, if there is one
  };

  void read_entries(spec::Node& table, const spec::KeyPath& path) {
    Fields fields{resource_.own, resource_.marks, {}, nullptr};
    for (spec::NodeEntry& entry : table.entries) {
      const spec::KeyPath key(path, entry.key);
      if (entry.key == "inherits" || entry.key == "alias_of") {
        read_base(entry, key, entry.key == "inherits" ? resource_.inherits : resource_.alias_of);
      } else if (entry.key == "deprecated") {
        if (reader_.string(entry.value, key, resource_.deprecated) && resource_.deprecated.empty())
          reader_.error(entry.value.at, key,
                        "expected advice for users of the resource, found an empty text");
      } else if (is_named_table(entry)) {
        read_variant(entry, key);
      } else {
        read_field(entry, path, fields);
      }
    }
    check_counts(fields, path);
  }

  void read_base(spec::NodeEntry& entry, const spec::KeyPath& key, std::string& base) {
    resource_.base_source = {file_, entry.value.at.line, entry.value.at.column};
    if (reader_.string(entry.value, key, base) && base.empty())
      reader_.error(entry.value.at, key, "expected the name of a resource, found an empty one");
  }

  void read_variant(spec::NodeEntry& entry, const spec::KeyPath& path) {
    ResourceVariant variant;
    variant.scheduler = entry.key;
    variant.source = {file_, entry.key_at.line, entry.key_at.column};
    Fields fields{variant.own, variant.marks, {}, nullptr};
    for (spec::NodeEntry& inner : entry.value.entries) {
      if (inner.key == "inherits" || inner.key == "alias_of" || inner.key == "deprecated") {
        reader_.error(inner.key_at, spec::KeyPath(path, inner.key),
                      fmt::format("the variant of {} for the scheduler {} cannot have `{}`",
                                  spec::quoted(resource_.name), spec::quoted(entry.key), inner.key),
                      fmt::format("a variant always starts from the resource; for a resource named "
                                  "\"{0}.{1}\" write [named_resources.\"{0}.{1}\"]",
                                  resource_.name, entry.key));
      } else {
        read_field(inner, path, fields);
      }
    }
    check_counts(fields, path);
    resource_.variants.push_back(std::move(variant));
  }

  void read_field(spec::NodeEntry& entry, const spec::KeyPath& path, Fields& fields) {
    const spec::KeyPath key(path, entry.key);
    const bool is_memory = entry.key == "memMB" || entry.key == "mem";
    if (is_memory) {
      if (fields.memory != nullptr) {
        reader_.error(entry.key_at, key,
                      fmt::format("`{}` already sets the memory", fields.memory->key));
      }
      fields.memory = &entry;
    }
    FieldMarks marks;
    if (entry.value.type == spec::NodeType::kTable) {
      for (const spec::NodeEntry& inner : entry.value.entries)
        marks.emplace_back(entry.key + "." + inner.key, inner.key_at);
    } else {
      marks.emplace_back(is_memory ? "memMB" : entry.key, entry.key_at);
    }
    if (!spec::read_resource_entry(entry, path, reader_, fields.own, fields.marks)) {
      reader_.warning(entry.key_at, key, "unknown key (ignored)",
                      spec::did_you_mean(entry.key, known_keys()));
      return;
    }
    for (auto& mark : marks) fields.kept_marks.push_back(std::move(mark));
  }

  // Reports negative numbers: -1 means "not set" inside Slipway, so files must not use it.
  void check_counts(const Fields& fields, const spec::KeyPath& path) {
    const auto check = [&](spec::Mark at, std::int64_t count, const spec::KeyPath& key) {
      // A value of the wrong type has already been reported. ProblemList keeps only the first error
      // of a key.
      if (at.line != 0 && count < 0)
        reader_.error(at, key, fmt::format("expected 0 or more, found {}", count));
    };
    check(fields.marks.at("cpu"), fields.own.cpu.whole(), spec::KeyPath(path, "cpu"));
    check(fields.marks.at("gpu"), fields.own.gpu, spec::KeyPath(path, "gpu"));
    const std::string memory = fields.memory != nullptr ? fields.memory->key : "memMB";
    check(fields.marks.at("memMB"), fields.own.mem_mb, spec::KeyPath(path, memory));
    const spec::KeyPath devices(path, "devices");
    for (std::size_t i = 0; i < fields.own.devices.size(); ++i) {
      check(fields.marks.item("devices", i), fields.own.devices[i].second,
            spec::KeyPath(devices, fields.own.devices[i].first));
    }
  }

  void check_alias(const spec::Node& table, const spec::KeyPath& path) {
    if (resource_.alias_of.empty()) return;
    for (const spec::NodeEntry& entry : table.entries) {
      if (entry.key == "alias_of" || entry.key == "deprecated") continue;
      reader_.error(
          entry.key_at, spec::KeyPath(path, entry.key),
          fmt::format("an alias of {} cannot set values", spec::quoted(resource_.alias_of)),
          "write `inherits` instead of `alias_of` to change values");
    }
  }

  const std::string& file_;
  spec::ProblemList problems_;
  spec::FieldReader reader_;
  InlineResource resource_;
};

class TablesReader {
 public:
  TablesReader(const std::string& file, Origin origin, spec::ProblemList& problems)
      : file_(file), origin_(origin), problems_(problems) {}

  // Recurses once for each part of a name; the parser limits the depth of documents.
  void read(spec::Node& tables, const std::string& prefix, const spec::KeyPath& path) {
    for (spec::NodeEntry& named : tables.entries) {
      const spec::KeyPath key(path, named.key);
      std::string name = prefix + named.key;
      if (is_part_of_names(named.value) && !named.key.empty()) {
        read(named.value, name + ".", key);
        continue;
      }
      InlineResource resource = ResourceReader(file_, origin_).read(named, name, key, problems_);
      // "a.b" and b in [a] are two tables in TOML, but one name here.
      const auto [first, is_new] = lines_.emplace(std::move(name), resource.source.line);
      if (!is_new) {
        problems_.add({spec::Severity::kError, resource.source, key.text(),
                       fmt::format("line {1} already defines the resource {0}",
                                   spec::quoted(first->first), first->second),
                       "remove one of them", Code::kConfig});
        continue;
      }
      found.push_back(std::move(resource));
    }
  }

  std::vector<InlineResource> found;

 private:
  const std::string& file_;
  Origin origin_;
  spec::ProblemList& problems_;
  std::unordered_map<std::string, std::uint32_t> lines_;  // the line of each resource, by name
};

}  // namespace

std::vector<InlineResource> read_inline_resources(spec::Node& tables, const std::string& file,
                                                  Origin origin, spec::ProblemList& problems) {
  const spec::KeyPath root;
  const spec::KeyPath path(root, "named_resources");
  spec::FieldReader reader(file, problems);
  if (!reader.table(tables, path)) return {};
  TablesReader tables_reader(file, origin, problems);
  tables_reader.found.reserve(tables.entries.size());
  tables_reader.read(tables, {}, path);
  return std::move(tables_reader.found);
}

}  // namespace slipway::registry
