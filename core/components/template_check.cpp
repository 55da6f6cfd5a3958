#include "core/components/template_check.hpp"

#include "core/components/argument_value.hpp"
#include "core/components/filter.hpp"
#include "core/components/template_text.hpp"
#include "core/spec/near_name.hpp"
#include "sdk/support/joined.hpp"
#include "slipway/error.hpp"

namespace slipway::components {
namespace {

using spec::KeyPath;
using spec::Node;
using spec::NodeEntry;
using spec::NodeType;

class Check {
 public:
  Check(const std::vector<ComponentParam>& params, spec::FieldReader& reader,
        std::vector<ParamUse>& uses)
      : params_(params), reader_(reader), uses_(uses) {
    for (const ComponentParam& param : params) names_.push_back(param.name);
  }

  void node(const Node& node, const KeyPath& path) {
    if (node.type == NodeType::kString) text(node, path);
    for (std::size_t i = 0; i < node.items.size(); ++i) this->node(node.items[i], KeyPath(path, i));
    for (const NodeEntry& entry : node.entries) {
      const KeyPath here(path, entry.key);
      if (entry.key.find("{{") != std::string::npos)
        reader_.error(entry.key_at, here, "a key cannot contain {{parameters}}",
                      "insert a dict into the table: \"...\" = \"{{dict}}\"");
      if (entry.key == kSpread) spread(entry, here);
      this->node(entry.value, here);
    }
  }

 private:
  void text(const Node& node, const KeyPath& path) {
    try {
      const std::vector<TemplatePart> parts = parse_template(node.text);
      for (const TemplatePart& part : parts) {
        if (part.expression) expression(*part.expression, node, path, is_whole_expression(parts));
      }
    } catch (const Error& error) {
      reader_.error(node.at, path, error.message(), error.hint(), spec::rule::kInvalidTemplate);
    }
  }

  // `is_whole` says that the node's text is only this expression.
  void expression(const Expression& expression, const Node& node, const KeyPath& path,
                  bool is_whole) {
    ValueType type = ValueType::kStr;
    if (!expression.text) {
      const ComponentParam* param = find_param(params_, expression.param);
      if (param == nullptr) {
        const std::string near = spec::did_you_mean(expression.param, names_);
        throw Error(Code::kInvalid, "there is no parameter " + spec::quoted(expression.param),
                    near.empty() ? hint_for_names() : near);
      }
      uses_.push_back({param->name, node.at, path.text()});
      type = param->type;
    }
    for (const Filter& filter : expression.filters) {
      check_filter(filter, type);
      type = ValueType::kStr;
    }
    if (!is_whole && holds_many(type)) {
      throw Error(Code::kInvalid,
                  spec::quoted(expression.param) + " is " + std::string(described(type)) +
                      " and cannot be part of a text",
                  "join it, {{" + expression.param + " | join(' ')}}, or use it alone");
    }
  }

  std::string hint_for_names() const {
    return names_.empty() ? "the component has none" : "the parameters are " + joined(names_);
  }

  // Checks an entry with the key `...`.
  void spread(const NodeEntry& entry, const KeyPath& path) {
    try {
      const auto parts = entry.value.type == NodeType::kString ? parse_template(entry.value.text)
                                                               : std::vector<TemplatePart>();
      if (is_whole_expression(parts)) {
        const Expression& expression = *parts.front().expression;
        const ComponentParam* param = find_param(params_, expression.param);
        // text() reports an unknown parameter.
        if (param == nullptr ? !expression.text
                             : param->type == ValueType::kDict && expression.filters.empty())
          return;
      }
    } catch (const Error&) {
      return;  // text() reports wrong syntax
    }
    reader_.error(entry.value.at, path, "... needs one parameter of type dict",
                  "write \"...\" = \"{{name}}\"");
  }

  const std::vector<ComponentParam>& params_;
  spec::FieldReader& reader_;
  std::vector<ParamUse>& uses_;
  std::vector<std::string> names_;
};

}  // namespace

const ComponentParam* find_param(const std::vector<ComponentParam>& params, std::string_view name) {
  for (const ComponentParam& param : params) {
    if (param.name == name) return &param;
  }
  return nullptr;
}

void check_template(const Node& app, const KeyPath& path, const std::vector<ComponentParam>& params,
                    spec::FieldReader& reader, std::vector<ParamUse>& uses) {
  Check(params, reader, uses).node(app, path);
}

}  // namespace slipway::components
