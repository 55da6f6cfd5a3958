#include "tests/vectors/difference.hpp"

#include <string_view>

namespace slipway::vectors {
namespace {

constexpr std::size_t kShownBytes = 600;
constexpr const char* kAbsent = "(nothing)";

std::string keys_of(const json::object& object) {
  std::string out;
  for (const auto& entry : object) {
    out += out.empty() ? "" : ", ";
    out += entry.key();
  }
  return "keys in this order: " + out;
}

class Comparison {
 public:
  std::optional<Difference> run(const json::value& expected, const json::value& got, int ordered,
                                const std::string& path) {
    if (expected.is_object() && got.is_object())
      return objects(expected.get_object(), got.get_object(), ordered, path);
    if (expected.is_array() && got.is_array())
      return arrays(expected.get_array(), got.get_array(), ordered, path);
    if (expected == got) return std::nullopt;
    return Difference{path, shown(expected), shown(got)};
  }

 private:
  std::optional<Difference> objects(const json::object& expected, const json::object& got,
                                    int ordered, const std::string& path) {
    for (const auto& entry : expected) {
      const std::string here = path + "." + std::string(entry.key());
      const json::value* other = got.if_contains(entry.key());
      if (other == nullptr) return Difference{here, shown(entry.value()), kAbsent};
      if (auto found = run(entry.value(), *other, ordered - 1, here)) return found;
    }
    for (const auto& entry : got) {
      if (!expected.contains(entry.key()))
        return Difference{path + "." + std::string(entry.key()), kAbsent, shown(entry.value())};
    }
    if (ordered > 0 && keys_of(expected) != keys_of(got))
      return Difference{path, keys_of(expected), keys_of(got)};
    return std::nullopt;
  }

  std::optional<Difference> arrays(const json::array& expected, const json::array& got, int ordered,
                                   const std::string& path) {
    for (std::size_t i = 0; i < expected.size() || i < got.size(); ++i) {
      const std::string here = path + "[" + std::to_string(i) + "]";
      if (i >= got.size()) return Difference{here, shown(expected[i]), kAbsent};
      if (i >= expected.size()) return Difference{here, kAbsent, shown(got[i])};
      if (auto found = run(expected[i], got[i], ordered - 1, here)) return found;
    }
    return std::nullopt;
  }
};

}  // namespace

std::optional<Difference> first_difference(const json::value& expected, const json::value& got,
                                           int ordered_levels) {
  return Comparison().run(expected, got, ordered_levels, "$");
}

std::string shown(const json::value& value) {
  std::string text = json::serialize(value);
  if (text.size() <= kShownBytes) return text;
  const std::size_t all = text.size();
  text.resize(kShownBytes);
  return text + "… (" + std::to_string(all) + " bytes)";
}

}  // namespace slipway::vectors
