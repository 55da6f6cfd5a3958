// Keeps apps as files: session, name and time, then a line "COUNT NAME" for each role.
#pragma once

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kept {

struct Record {
  std::string name;
  std::string session;
  std::int64_t submitted_at_ns = 0;
  std::vector<std::pair<std::string, std::int32_t>> roles;  ///< with the number of replicas
};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;
using Directory = std::unique_ptr<DIR, CloseFile>;

inline bool is_app(std::string_view app_id) {
  return !app_id.empty() && app_id.size() < 256 && app_id[0] != '.' &&
         app_id.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos;
}

/// Writes the file of an app completely or not at all. Returns false on failure.
inline bool save(const std::string& directory, const std::string& app_id, const Record& app) {
  std::string text =
      app.session + '\n' + app.name + '\n' + std::to_string(app.submitted_at_ns) + '\n';
  for (const auto& [role, count] : app.roles) text += std::to_string(count) + ' ' + role + '\n';
  const std::string unfinished = directory + "/." + app_id;
  ::mkdir(directory.c_str(), 0700);
  File out(std::fopen(unfinished.c_str(), "wxe"));
  bool good = out != nullptr && std::fwrite(text.data(), 1, text.size(), out.get()) == text.size();
  good = out != nullptr && std::fclose(out.release()) == 0 && good;
  good = good && std::rename(unfinished.c_str(), (directory + '/' + app_id).c_str()) == 0;
  if (!good) ::unlink(unfinished.c_str());
  return good;
}

/// Returns the app, or nullopt if there is none.
inline std::optional<Record> load(const std::string& directory, std::string_view app_id) {
  if (!is_app(app_id)) return std::nullopt;
  const File in(std::fopen((directory + '/' + std::string(app_id)).c_str(), "re"));
  if (in == nullptr) return std::nullopt;
  std::vector<std::string> lines(1);
  for (int c = std::fgetc(in.get()); c != EOF; c = std::fgetc(in.get())) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += static_cast<char>(c);
  }
  if (lines.size() < 4) return std::nullopt;
  Record out;
  out.session = lines[0];
  out.name = lines[1];
  out.submitted_at_ns = std::strtoll(lines[2].c_str(), nullptr, 10);
  for (std::size_t i = 3; i + 1 < lines.size(); ++i) {
    char* name = nullptr;
    const long count = std::strtol(lines[i].c_str(), &name, 10);
    out.roles.emplace_back(name + 1, static_cast<std::int32_t>(count));
  }
  return out;
}

inline void remove(const std::string& directory, std::string_view app_id) {
  if (is_app(app_id)) ::unlink((directory + '/' + std::string(app_id)).c_str());
}

/// Returns the ids of the apps, in no order. The directory may be missing.
inline std::vector<std::string> apps_in(const std::string& directory) {
  std::vector<std::string> out;
  const Directory files(::opendir(directory.c_str()));
  if (files == nullptr) return out;
  while (const dirent* entry = ::readdir(files.get())) {
    if (is_app(entry->d_name)) out.emplace_back(entry->d_name);
  }
  return out;
}

}  // namespace kept
