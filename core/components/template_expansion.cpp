#include "core/components/template_expansion.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/components/template_check.hpp"
#include "core/components/template_text.hpp"
#include "core/spec/known_keys.hpp"
#include "sdk/support/role_keys.hpp"
#include "sdk/support/value_text.hpp"
#include "slipway/app_fields.hpp"
#include "slipway/error.hpp"

namespace slipway::components {
namespace {

using spec::Node;
using spec::NodeEntry;
using spec::NodeType;

// Limits the memory of a template that inserts a long argument many times.
constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;

// A place in the app file, which decides whether a value keeps its type (kTyped) or becomes text.
enum class Place {
  kApp,
  kRole,
  kResource,
  kMount,
  kProbe,             // the table `ready`
  kOptions,           // the table `options`
  kSchedulerOptions,  // a table of a scheduler in `options`
  kOption,  // a run option in such a table, which keeps its type; items of a list or table are text
  kText,
  kTyped,
};

// Return the place of the values in a field of this type.
Place place_of(const std::vector<Role>&, FieldKind) { return Place::kRole; }
Place place_of(const Resource&, FieldKind) { return Place::kResource; }
Place place_of(const std::vector<Mount>&, FieldKind) { return Place::kMount; }
Place place_of(const std::string&, FieldKind kind) {
  return kind == FieldKind::kJsonObject ? Place::kTyped : Place::kText;
}
Place place_of(const StrList&, FieldKind) { return Place::kText; }
Place place_of(const StrDict&, FieldKind) { return Place::kText; }
Place place_of(const IntDict&, FieldKind) { return Place::kTyped; }
Place place_of(const std::optional<std::int32_t>&, FieldKind) { return Place::kTyped; }
template <class T>
Place place_of(const T&, FieldKind) {
  return std::is_enum_v<T> ? Place::kText : Place::kTyped;
}

// Returns the place of the value of `key` in the table of a Struct.
template <class Struct>
Place below(std::string_view key) {
  Place place = Place::kText;  // the reader reports an unknown key
  with_field<Struct>(
      key, [&](const auto& field) { place = place_of(Struct().*field.member, field.kind); });
  return place;
}

// Returns the place of the value of `key` in a table at `place`.
Place below(Place place, std::string_view key) {
  switch (place) {
    case Place::kApp: return key == spec::kOptionsKey ? Place::kOptions : below<AppDef>(key);
    case Place::kRole:
      if (key == "ready") return Place::kProbe;
      return is_role_key(key) && key != "cwd" ? Place::kTyped : below<Role>(key);
    case Place::kProbe: return key == "command" || key == "log" ? Place::kText : Place::kTyped;
    case Place::kOptions: return Place::kSchedulerOptions;
    case Place::kSchedulerOptions: return Place::kOption;
    case Place::kOption: return Place::kText;
    // `mem` is a text with a unit.
    case Place::kResource: return key == "mem" ? Place::kText : below<Resource>(key);
    case Place::kMount: return below<Mount>(key);
    case Place::kText:
    case Place::kTyped: break;
  }
  return place;
}

Node text_node(std::string text, spec::Mark at) {
  Node out;
  out.type = NodeType::kString;
  out.at = at;
  out.text = std::move(text);
  return out;
}

class Expansion {
 public:
  Expansion(const std::vector<ComponentParam>& params, const Cfg& args)
      : params_(params), args_(args) {}

  // Expands a node of the template. Returns nullopt if the node is a parameter without a value.
  std::optional<Node> node(const Node& source, Place place) {
    switch (source.type) {
      case NodeType::kString: return string(source, place);
      case NodeType::kList: return list(source, place);
      case NodeType::kTable: return table(source, place);
      default: return source;
    }
  }

 private:
  std::optional<Node> string(const Node& source, Place place) {
    const std::vector<TemplatePart> parts = parse_template(source.text);
    if (is_whole_expression(parts)) {
      const Expression& expression = *parts.front().expression;
      if (!expression.text && expression.filters.empty())
        return value_node(value_of(expression), source.at, place);
    }
    std::string out;
    for (const TemplatePart& part : parts)
      out += part.expression ? text_of_expression(*part.expression) : part.text;
    count_text(out.size());
    return text_node(std::move(out), source.at);
  }

  std::optional<Node> value_node(const Value& value, spec::Mark at, Place place) {
    Node out;
    out.at = at;
    switch (type_of(value)) {
      case ValueType::kNone: return std::nullopt;
      case ValueType::kList:
        out.type = NodeType::kList;
        for (const std::string& item : std::get<StrList>(value)) {
          count_text(item.size());
          out.items.push_back(text_node(item, at));
        }
        return out;
      case ValueType::kDict:
        out.type = NodeType::kTable;
        for (const auto& [key, item] : std::get<StrDict>(value)) {
          count_text(key.size() + item.size());
          out.entries.push_back({key, at, text_node(item, at)});
        }
        return out;
      case ValueType::kInt: out.type = NodeType::kInt; break;
      case ValueType::kFloat: out.type = NodeType::kFloat; break;
      case ValueType::kBool: out.type = NodeType::kBool; break;
      case ValueType::kStr: out.type = NodeType::kString; break;
    }
    const bool keeps_type = place == Place::kTyped || place == Place::kOption;
    if (!keeps_type || out.type == NodeType::kString) {
      std::string text = to_text(value);
      count_text(text.size());
      return text_node(std::move(text), at);
    }
    if (const auto* integer = std::get_if<std::int64_t>(&value)) out.integer = *integer;
    if (const auto* real = std::get_if<double>(&value)) out.real = *real;
    if (const auto* boolean = std::get_if<bool>(&value)) out.boolean = *boolean;
    return out;
  }

  Node list(const Node& source, Place place) {
    Node out;
    out.type = NodeType::kList;
    out.at = source.at;
    for (const Node& item : source.items) {
      std::optional<Node> value = node(item, place == Place::kOption ? Place::kText : place);
      if (!value) continue;
      if (item.type == NodeType::kString && value->type == NodeType::kList) {
        // The item is a placeholder for a list, whose items take its place.
        for (Node& inner : value->items) out.items.push_back(std::move(inner));
      } else {
        out.items.push_back(std::move(*value));
      }
    }
    return out;
  }

  Node table(const Node& source, Place place) {
    Node out;
    out.type = NodeType::kTable;
    out.at = source.at;
    bool has_spread = false;
    for (const NodeEntry& entry : source.entries) {
      std::optional<Node> value = node(entry.value, below(place, entry.key));
      if (!value) continue;
      if (entry.key == kSpread && value->type == NodeType::kTable) {
        has_spread = true;
        for (NodeEntry& inner : value->entries) insert_or_replace(out, std::move(inner));
      } else if (has_spread) {
        insert_or_replace(out, {entry.key, entry.key_at, std::move(*value)});
      } else {
        out.entries.push_back({entry.key, entry.key_at, std::move(*value)});
      }
    }
    return out;
  }

  // Replaces an entry of the same key, so that a table can override inserted defaults.
  static void insert_or_replace(Node& table, NodeEntry entry) {
    for (NodeEntry& known : table.entries) {
      if (known.key != entry.key) continue;
      known = std::move(entry);
      return;
    }
    table.entries.push_back(std::move(entry));
  }

  Value value_of(const Expression& expression) const {
    if (expression.text) return *expression.text;
    const Value* value = args_.find(expression.param);
    return value != nullptr ? *value : Value();
  }

  std::string text_of_expression(const Expression& expression) const {
    const ComponentParam* param = find_param(params_, expression.param);
    ValueType type = param != nullptr ? param->type : ValueType::kStr;
    Value value = value_of(expression);
    for (const Filter& filter : expression.filters) {
      value = apply_filter(filter, type, value);
      type = ValueType::kStr;
    }
    return to_text(value);
  }

  void count_text(std::size_t bytes) {
    text_bytes_ += bytes;
    if (text_bytes_ > kMaxTextBytes)
      throw Error(Code::kInvalid, "the component makes an app of more than 64 MiB of text");
  }

  const std::vector<ComponentParam>& params_;
  const Cfg& args_;
  std::size_t text_bytes_ = 0;
};

}  // namespace

Node expand_template(const Node& app, const std::vector<ComponentParam>& params, const Cfg& args) {
  return Expansion(params, args).node(app, Place::kApp).value_or(Node());
}

}  // namespace slipway::components
