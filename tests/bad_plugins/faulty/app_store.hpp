// Stores apps in files, as a scheduler must. An app is the file `<id>`: name, whether it sleeps,
// its state, then its roles.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipway/app.hpp"

namespace faulty {

struct StoredApp {
  std::string name;
  bool sleeps = false;
  std::int32_t state = 0;
  std::vector<std::pair<std::string, std::int32_t>> roles;  // name and number of replicas
};

class AppStore {
 public:
  explicit AppStore(std::filesystem::path root) : root_(std::move(root)) {}

  void save(const std::string& id, const StoredApp& app) const {
    std::filesystem::create_directories(root_);
    const auto unfinished = root_ / ("." + id);
    {
      std::ofstream out(unfinished);
      out << app.name << ' ' << app.sleeps << ' ' << app.state << '\n';
      for (const auto& [role, replicas] : app.roles) out << role << ' ' << replicas << '\n';
    }
    std::filesystem::rename(unfinished, root_ / id);
  }

  std::optional<StoredApp> load(const std::string& id) const {
    if (id.empty() || id[0] == '.' || id.find('/') != std::string::npos) return std::nullopt;
    std::ifstream in(root_ / id);
    StoredApp out;
    if (!(in >> out.name >> out.sleeps >> out.state)) return std::nullopt;
    std::string role;
    std::int32_t replicas = 0;
    while (in >> role >> replicas) out.roles.emplace_back(role, replicas);
    return out;
  }

  void forget(const std::string& id) const { std::filesystem::remove(root_ / id); }

  std::vector<std::string> ids() const {
    std::vector<std::string> out;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(root_, none)) {
      const std::string name = entry.path().filename().string();
      if (name[0] != '.') out.push_back(name);
    }
    return out;
  }

 private:
  std::filesystem::path root_;
};

}  // namespace faulty
