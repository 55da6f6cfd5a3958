#include "core/components/component_file.hpp"

#include <algorithm>
#include <optional>

#include "core/components/argument_value.hpp"
#include "core/components/argument_words.hpp"
#include "core/spec/fields.hpp"
#include "core/spec/near_name.hpp"
#include "slipway/error.hpp"

namespace slipway::components {
namespace {

using spec::KeyPath;
using spec::Node;
using spec::NodeEntry;
using spec::NodeType;

const std::vector<std::string_view>& component_keys() {
  static const std::vector<std::string_view> keys = {"help", "params", "sweep", "app"};
  return keys;
}

const std::vector<std::string_view>& param_keys() {
  static const std::vector<std::string_view> keys = {"type", "default", "required",
                                                     "help", "short",   "variadic"};
  return keys;
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Accepts names that a user can type in `file.toml:NAME`.
bool is_component_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.';
  });
}

// Accepts names that a user can type as --name and write as {{name}}.
bool is_param_name(std::string_view name) {
  return !name.empty() && is_letter_or_digit(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; });
}

std::string hint_for_file_key(std::string_view key) {
  if (key == "name" || key == "roles" || key == "metadata")
    return "a file cannot hold both an app and components; a component's app is "
           "[component.NAME.app]";
  if (key == "sweep") return "the values of a component are in [component.NAME.sweep]";
  return spec::did_you_mean(key, {std::string_view("component")});
}

class ParamReader {
 public:
  ParamReader(NodeEntry& entry, const KeyPath& path, spec::FieldReader& reader)
      : entry_(entry), path_(path), reader_(reader) {}

  // Fills `marks` with the places of the parameter's keys.
  ComponentParam run(spec::TableMarks& marks) {
    marks.table = entry_.key_at;
    out_.name = entry_.key;
    if (!is_param_name(entry_.key)) {
      reader_.error(
          entry_.key_at, path_,
          "a parameter's name may contain letters, digits, '_' and '-', a letter or digit first");
    } else if (entry_.key == "help") {
      reader_.error(entry_.key_at, path_, "no parameter can be called help",
                    "--help shows the component's help");
    }
    if (!reader_.table(entry_.value, path_)) return std::move(out_);
    for (NodeEntry& field : entry_.value.entries) {
      marks.add(field);
      read(field, KeyPath(path_, field.key));
    }
    if (out_.variadic && !has_type_) out_.type = ValueType::kList;
    if (default_ != nullptr) read_default(*default_, KeyPath(path_, std::string_view("default")));
    check();
    return std::move(out_);
  }

 private:
  void read(NodeEntry& field, const KeyPath& here) {
    if (field.key == "type") {
      read_type(field.value, here);
    } else if (field.key == "default") {
      default_ = &field.value;
    } else if (field.key == "required") {
      bool required = false;
      if (reader_.boolean(field.value, here, required)) required_ = required;
    } else if (field.key == "help") {
      reader_.string(field.value, here, out_.help);
    } else if (field.key == "short") {
      if (reader_.string(field.value, here, out_.short_name) &&
          (out_.short_name.size() != 1 || !is_letter_or_digit(out_.short_name.front()))) {
        reader_.error(field.value.at, here,
                      "expected one letter or digit, found " + spec::quoted(out_.short_name));
        out_.short_name.clear();
      }
    } else if (field.key == "variadic") {
      reader_.boolean(field.value, here, out_.variadic);
    } else {
      reader_.unknown_key(field, here, param_keys());
    }
  }

  void read_type(Node& value, const KeyPath& here) {
    std::string name;
    has_type_ = true;
    type_failed_ = true;
    if (!reader_.string(value, here, name)) return;
    try {
      out_.type = type_named(name);
      type_failed_ = false;
    } catch (const Error& error) {
      reader_.error(value.at, here, error.message(), error.hint());
    }
  }

  void read_default(Node& value, const KeyPath& here) {
    if (type_failed_) return;
    std::vector<spec::Mark> unused;
    switch (out_.type) {
      case ValueType::kStr: read_as<std::string>(&spec::FieldReader::string, value, here); break;
      case ValueType::kInt: read_as<std::int64_t>(&spec::FieldReader::int64, value, here); break;
      case ValueType::kBool: read_as<bool>(&spec::FieldReader::boolean, value, here); break;
      case ValueType::kFloat:
        if (value.type == NodeType::kFloat) {
          out_.default_value = value.real;
        } else if (value.type == NodeType::kInt) {
          out_.default_value = static_cast<double>(value.integer);
        } else {
          reader_.wrong_type(value, here, "a float");
        }
        break;
      case ValueType::kList: {
        StrList list;
        reader_.string_list(value, here, list, unused);
        out_.default_value = std::move(list);
        break;
      }
      case ValueType::kDict: {
        StrDict dict;
        reader_.string_dict(value, here, dict, unused);
        out_.default_value = std::move(dict);
        break;
      }
      case ValueType::kNone: break;
    }
  }

  template <class T, class Member>
  void read_as(Member member, Node& value, const KeyPath& here) {
    T out{};
    if ((reader_.*member)(value, here, out)) out_.default_value = std::move(out);
  }

  void check() {
    if (default_ != nullptr && required_.value_or(false)) {
      reader_.error(entry_.key_at, KeyPath(path_, std::string_view("required")),
                    "a parameter with a default is never required", "remove one of them");
    }
    out_.required = required_.value_or(default_ == nullptr && !out_.variadic);
    if (!out_.variadic) return;
    if (out_.type != ValueType::kList && !type_failed_)
      reader_.error(entry_.key_at, KeyPath(path_, std::string_view("type")),
                    "a variadic parameter is a list");
    if (!out_.short_name.empty())
      reader_.error(entry_.key_at, KeyPath(path_, std::string_view("short")),
                    "a variadic parameter takes the remaining words and has no short name");
  }

  NodeEntry& entry_;
  const KeyPath& path_;
  spec::FieldReader& reader_;
  ComponentParam out_;
  Node* default_ = nullptr;       // the value of the key `default`; null without the key
  std::optional<bool> required_;  // the value of the key `required`
  bool has_type_ = false;
  bool type_failed_ = false;  // the key `type` has a wrong value, so the type is unknown
};

// Reports a parameter with the short name of an earlier one, and a second variadic parameter.
void check_together(const std::vector<ComponentParam>& params,
                    const std::vector<spec::TableMarks>& marks, const KeyPath& path,
                    spec::FieldReader& reader) {
  const ComponentParam* variadic = nullptr;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const KeyPath here(path, params[i].name);
    if (params[i].variadic && variadic != nullptr)
      reader.error(marks[i].at("variadic"), KeyPath(here, std::string_view("variadic")),
                   variadic->name + " is already variadic");
    if (params[i].variadic && variadic == nullptr) variadic = &params[i];
    const char letter = short_letter(params[i]);
    for (std::size_t k = 0; k < i && letter != 0; ++k) {
      if (short_letter(params[k]) != letter) continue;
      reader.error(marks[i].at("short"), KeyPath(here, std::string_view("short")),
                   std::string("-") + letter + " already means " + params[k].name);
    }
  }
}

// Reads the parameters in the order of the text; `marks` becomes parallel to `out`. Adds the
// problems of single parameters and of their combination to `reader`.
void read_params(Node& table, const KeyPath& path, spec::FieldReader& reader,
                 std::vector<ComponentParam>& out, std::vector<spec::TableMarks>& marks) {
  if (!reader.table(table, path)) return;
  for (NodeEntry& entry : table.entries) {
    const KeyPath here(path, entry.key);
    out.push_back(ParamReader(entry, here, reader).run(marks.emplace_back()));
  }
  check_together(out, marks, path, reader);
}

class FileReader {
 public:
  FileReader(const std::string& source, spec::ProblemList& problems) : reader_(source, problems) {}

  void document(Node& document, std::vector<FileComponent>& out) {
    const KeyPath root;
    for (NodeEntry& entry : document.entries) {
      const KeyPath path(root, entry.key);
      if (entry.key != "component") {
        reader_.error(entry.key_at, path, "unknown key", hint_for_file_key(entry.key));
      } else if (reader_.table(entry.value, path)) {
        if (entry.value.entries.empty())
          reader_.error(entry.key_at, path, "there is no component", "write [component.NAME]");
        for (NodeEntry& component : entry.value.entries)
          out.push_back(this->component(component, KeyPath(path, component.key)));
      }
    }
  }

 private:
  FileComponent component(NodeEntry& entry, const KeyPath& path) {
    FileComponent out;
    out.info.name = entry.key;
    out.marks.table = entry.key_at;
    if (!is_component_name(entry.key))
      reader_.error(entry.key_at, path,
                    "a component's name may contain letters, digits, '_', '-' and '.'");
    if (!reader_.table(entry.value, path)) return out;
    Node* app = nullptr;
    Node* sweep = nullptr;
    for (NodeEntry& field : entry.value.entries) {
      const KeyPath here(path, field.key);
      out.marks.add(field);
      if (field.key == "help") {
        reader_.string(field.value, here, out.info.help);
      } else if (field.key == "params") {
        read_params(field.value, here, reader_, out.info.params, out.param_marks);
      } else if (field.key == "sweep") {
        sweep = &field.value;
      } else if (field.key == "app") {
        app = &field.value;
      } else {
        unknown(field, here, entry.key);
      }
    }
    if (sweep != nullptr)
      out.sweep =
          read_sweep(*sweep, KeyPath(path, std::string_view("sweep")), out.info.params, reader_);
    if (app == nullptr) {
      reader_.error(entry.key_at, KeyPath(path, std::string_view("app")), "missing",
                    "a component needs an app: [component." + entry.key + ".app]");
    } else if (const KeyPath here(path, std::string_view("app")); reader_.table(*app, here)) {
      if (app->entries.empty()) reader_.error(app->at, here, "the app is empty");
      check_template(*app, here, out.info.params, reader_, out.uses);
      out.app = std::move(*app);
    }
    return out;
  }

  // Explains the most likely mistake: [component.utils.echo] is a table `echo` in the component
  // `utils`, not a component `utils.echo`.
  void unknown(const NodeEntry& field, const KeyPath& here, const std::string& name) {
    const bool nested =
        field.value.type == NodeType::kTable &&
        (field.value.find("app") != nullptr || field.value.find("params") != nullptr);
    if (nested) {
      reader_.error(field.key_at, here, "unknown key",
                    "quote a name that has a dot: [component.\"" + name + "." + field.key + "\"]");
    } else {
      reader_.unknown_key(field, here, component_keys());
    }
  }

  spec::FieldReader reader_;
};

}  // namespace

const FileComponent* ComponentFile::find(std::string_view name) const {
  const auto found =
      std::find_if(components.begin(), components.end(),
                   [name](const FileComponent& one) { return one.info.name == name; });
  return found != components.end() ? &*found : nullptr;
}

bool holds_components(const Node& document) {
  return document.type == NodeType::kTable && document.find("component") != nullptr;
}

bool may_concern(std::string_view name, const std::string& key) {
  const KeyPath root;
  const KeyPath all(root, std::string_view("component"));
  const std::string component = KeyPath(all, name).text();
  return !key.starts_with(all.text() + '.') || key == component || key.starts_with(component + '.');
}

ComponentFile read_component_file(Node document, const std::string& source,
                                  spec::ProblemList& problems) {
  ComponentFile out;
  out.source = source;
  FileReader(out.source, problems).document(document, out.components);
  return out;
}

}  // namespace slipway::components
