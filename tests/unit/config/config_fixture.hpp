// Files and variables of one test. Hides the machine's own configuration.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include "core/config/load.hpp"

namespace slipway::config::test {

class ConfigFixture {
 public:
  ConfigFixture() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "slipway-config-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory for the test");
    root = pattern;
    variables["HOME"] = path("home");
    variables["XDG_CONFIG_HOME"] = path("xdg");
    places.site_file = path("site.toml");
    places.working_directory = path("project/sub");
    places.variable = [this](const char* name) -> const char* {
      const auto found = variables.find(name);
      return found == variables.end() ? nullptr : found->second.c_str();
    };
    std::filesystem::create_directories(places.working_directory);
  }
  ConfigFixture(const ConfigFixture&) = delete;
  ConfigFixture& operator=(const ConfigFixture&) = delete;
  ~ConfigFixture() {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }

  std::string path(const std::string& name) const { return root + "/" + name; }

  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  Loaded loaded() const { return load(places, flags, trusted); }

  std::string root;
  std::map<std::string, std::string> variables;
  Places places;
  std::vector<Setting> flags;
  TrustCheck trusted;  ///< an empty function trusts every file
};

/// Returns a setting of the command line.
inline Setting flag(SettingKey key, const std::string& value) {
  Setting out;
  out.where.file = "--" + key.option;
  out.key = std::move(key);
  out.value.type = spec::NodeType::kString;
  out.value.text = value;
  out.notation = Notation::kText;
  out.layer = Layer::kFlag;
  return out;
}

}  // namespace slipway::config::test
