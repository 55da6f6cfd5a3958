#include "core/components/component_file.hpp"

#include <algorithm>
#include <optional>

#include "core/components/param_table.hpp"
#include "core/spec/near_name.hpp"

namespace slipway::components {
namespace {

using spec::KeyPath;
using spec::Node;
using spec::NodeEntry;
using spec::NodeType;

const std::vector<std::string_view>& component_keys() {
  static const std::vector<std::string_view> keys = {"help", "params", "app"};
  return keys;
}

// Users type the name in `file.toml:NAME` and in `[component.NAME]`.
bool is_component_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

class FileReader {
 public:
  FileReader(const std::string& source, spec::ProblemList& problems) : reader_(source, problems) {}

  void document(Node& document, std::vector<FileComponent>& out) {
    const KeyPath root;
    for (NodeEntry& entry : document.entries) {
      const KeyPath path(root, entry.key);
      if (entry.key != "component") {
        const bool app = entry.key == "name" || entry.key == "roles" || entry.key == "metadata";
        reader_.error(entry.key_at, path, "unknown key",
                      app ? "a file cannot hold both an app and components; a component's app is "
                            "[component.NAME.app]"
                          : spec::did_you_mean(entry.key, {std::string_view("component")}));
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
    for (NodeEntry& field : entry.value.entries) {
      const KeyPath here(path, field.key);
      out.marks.fields.emplace_back(field.key, field.value.at);
      if (field.key == "help") {
        reader_.string(field.value, here, out.info.help);
      } else if (field.key == "params") {
        read_params(field.value, here, reader_, out.info.params, out.params);
      } else if (field.key == "app") {
        app = &field.value;
      } else {
        unknown(field, here, entry.key);
      }
    }
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

  // Explains the likeliest mistake: [component.utils.echo] is a table `echo` in the component
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

ComponentFile read_component_file(Node document, const std::string& source,
                                  spec::ProblemList& problems) {
  ComponentFile out;
  out.source = source;
  FileReader(out.source, problems).document(document, out.components);
  return out;
}

}  // namespace slipway::components
