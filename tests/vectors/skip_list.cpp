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
    const std::size_t before = list.skips_.size();
    list.add(table, "cases", false);
    list.add(table, "cases_from", true);
    if (list.skips_.size() == before)
      throw BenchError("line " + std::to_string(table.at.line) +
                       ": a skip needs `cases` or `cases_from`");
  }
  return list;
}

void SkipList::add(const spec::Node& table, std::string_view key, bool prefix) {
  const spec::Node* names = table.find(key);
  if (names == nullptr) return;
  const std::string file = text_of(table, "file");
  const std::string reason = text_of(table, "reason");
  if (names->type != spec::NodeType::kList)
    throw BenchError("line " + std::to_string(names->at.line) + ": `" + std::string(key) +
                     "` must be a list");
  for (const spec::Node& name : names->items) {
    if (name.type != spec::NodeType::kString || name.text.empty())
      throw BenchError("line " + std::to_string(name.at.line) + ": expected the name of a case");
    for (const Skip& other : skips_) {
      if (other.file == file && other.name == name.text && other.prefix == prefix)
        throw BenchError(file + ": '" + name.text + "' is skipped twice");
    }
    skips_.push_back({file, name.text, prefix, reason, false});
  }
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
