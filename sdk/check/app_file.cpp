#include "sdk/check/app_file.hpp"

#include <string_view>

#include "sdk/check/run/options.hpp"
#include "sdk/check/toml.hpp"

namespace slipway::check {

namespace {

class AppFile {
 public:
  explicit AppFile(const std::string& path) : path_(path) {
    try {
      root_ = toml::parse_file(path);
    } catch (const toml::parse_error& error) {
      throw UsageError(path + ":" + std::to_string(error.source().begin.line) + ": " +
                       std::string(error.description()));
    }
  }

  AppDef app() {
    AppDef out;
    for (const auto& [key, node] : root_) {
      if (key == "name") {
        out.name = text(node);
      } else if (key == "metadata") {
        out.metadata = texts(node);
      } else if (key == "roles") {
        each(node, [&](const toml::node& item) { out.of(role(table(item))); });
      } else {
        unknown(key, node);
      }
    }
    if (out.name.empty() || out.roles.empty())
      throw UsageError(path_ + ": an app needs a name and at least one of [[roles]]");
    return out;
  }

 private:
  Role role(const toml::table& from) {
    Role out;
    for (const auto& [key, node] : from) {
      if (key == "name") {
        out.name = text(node);
      } else if (key == "image") {
        out.image = text(node);
      } else if (key == "entrypoint") {
        out.entrypoint = text(node);
      } else if (key == "args") {
        each(node, [&](const toml::node& item) { out.args.push_back(text(item)); });
      } else if (key == "env") {
        out.env = texts(node);
      } else if (key == "num_replicas") {
        out.num_replicas = static_cast<std::int32_t>(number(node));
      } else if (key == "max_retries") {
        out.max_retries = static_cast<std::int32_t>(number(node));
      } else if (key == "resource") {
        out.resource = resource(table(node));
      } else {
        unknown(key, node);
      }
    }
    return out;
  }

  Resource resource(const toml::table& from) {
    Resource out;
    for (const auto& [key, node] : from) {
      if (key == "cpu") {
        out.cpu = static_cast<std::int32_t>(number(node));
      } else if (key == "gpu") {
        out.gpu = static_cast<std::int32_t>(number(node));
      } else if (key == "memMB") {
        out.mem_mb = number(node);
      } else {
        unknown(key, node);
      }
    }
    return out;
  }

  [[noreturn]] void fail(const toml::node& node, const std::string& what) const {
    throw UsageError(path_ + ":" + std::to_string(node.source().begin.line) + ": " + what);
  }
  [[noreturn]] void unknown(const toml::key& key, const toml::node& node) const {
    fail(node, "the kit does not support the key \"" + std::string(key.str()) +
                   "\"; sdk/check/README.md lists the keys");
  }
  std::string text(const toml::node& node) const {
    if (const auto value = node.value_exact<std::string>()) return *value;
    fail(node, "expected a string");
  }
  std::int64_t number(const toml::node& node) const {
    if (const auto value = node.value_exact<std::int64_t>()) return *value;
    fail(node, "expected an integer");
  }
  const toml::table& table(const toml::node& node) const {
    if (const toml::table* value = node.as_table()) return *value;
    fail(node, "expected a table");
  }
  StrDict texts(const toml::node& node) const {
    StrDict out;
    for (const auto& [key, value] : table(node)) set(out, key.str(), text(value));
    return out;
  }
  template <class Use>
  void each(const toml::node& node, Use use) const {
    const toml::array* items = node.as_array();
    if (items == nullptr) fail(node, "expected an array");
    for (const toml::node& item : *items) use(item);
  }

  std::string path_;
  toml::table root_;
};

}  // namespace

AppDef read_app_file(const std::string& path) { return AppFile(path).app(); }

}  // namespace slipway::check
