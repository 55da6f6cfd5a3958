#include "tests/vectors/skip_list.hpp"

#include "core/spec/document.hpp"
#include "slipway/error.hpp"
#include "tests/vectors/vector_case.hpp"

namespace slipway::vectors {
namespace {

std::string text_of(const spec::Node& table, std::string_view key) {
  const spec::Node* value = table.find(key);
  if (value == nullptr || value->type != spec::NodeType::kString || value->text.empty())
    throw BenchError("line " + std::to_string(table.at.line) + ": a skip needs a `" +
                     std::string(key) + "`");
  return value->text;
}

spec::Node read_toml(const std::string& path) {
  try {
    return spec::read_document(path);
  } catch (const Error& error) {
    throw BenchError(error.message());
  }
}

}  // namespace

SkipList SkipList::read(const std::string& path) {
  const spec::Node document = read_toml(path);
  SkipList list;
  const spec::Node* skips = document.find("skip");
  if (skips == nullptr) return list;
  for (const spec::Node& table : skips->items) {
    const bool prefix = table.find("cases_from") != nullptr;
    Skip skip{text_of(table, "file"), text_of(table, prefix ? "cases_from" : "case"), prefix,
              text_of(table, "reason"), false};
    for (const Skip& other : list.skips_) {
      if (other.file == skip.file && other.name == skip.name && other.prefix == skip.prefix)
        throw BenchError(skip.file + ": '" + skip.name + "' is skipped twice");
    }
    list.skips_.push_back(std::move(skip));
  }
  return list;
}

const Skip* SkipList::find(std::string_view file, std::string_view name) {
  for (Skip& skip : skips_) {
    const bool fits =
        skip.prefix ? name.substr(0, skip.name.size()) == skip.name : skip.name == name;
    if (skip.file != file || !fits) continue;
    skip.used = true;
    return &skip;
  }
  return nullptr;
}

std::vector<const Skip*> SkipList::unused(std::string_view file) const {
  std::vector<const Skip*> out;
  for (const Skip& skip : skips_) {
    if (skip.file == file && !skip.used) out.push_back(&skip);
  }
  return out;
}

}  // namespace slipway::vectors
