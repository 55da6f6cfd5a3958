// Stores an app on disk: the directory `<app id>` with the files `app` (name, session, time) and
// `log` (role, replica and text, one line per replica). Uses plain values and no part of the SDK.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The one line of output that a replica has.
struct LogLine {
  std::string role;
  std::int32_t replica = 0;
  std::string text;
};

struct StoredApp {
  std::string name;
  std::string session;
  std::int64_t submitted_at = 0;  ///< nanoseconds since 1970
  std::vector<LogLine> log;
};

/// Writes the app completely or not at all, even if the process is killed meanwhile. Returns false,
/// and leaves nothing behind, on failure. A killed process may leave an unfinished directory, whose
/// name begins with '.', so that load() finds no app in it. No text may contain a line end.
inline bool save(const std::filesystem::path& root, const std::string& app_id,
                 const StoredApp& app) {
  namespace fs = std::filesystem;
  const fs::path unfinished = root / ("." + app_id);
  std::error_code error;
  fs::create_directories(unfinished, error);
  fs::permissions(root, fs::perms::owner_all, error);  // mode 0700: only for this user
  std::ofstream head(unfinished / "app");
  std::ofstream log(unfinished / "log");
  head << app.name << '\n' << app.session << '\n' << app.submitted_at << '\n';
  for (const LogLine& line : app.log)
    log << line.role << '\t' << line.replica << '\t' << line.text << '\n';
  bool is_saved = head.flush() && log.flush();
  if (is_saved) {
    fs::rename(unfinished, root / app_id, error);  // from here on the app exists
    is_saved = !error;
  }
  if (!is_saved) fs::remove_all(unfinished, error);
  return is_saved;
}

/// Returns the app, or nullopt if it does not exist. The id is user input, so ids that lead out of
/// `root` name no app. Throws std::exception for a damaged log.
inline std::optional<StoredApp> load(const std::filesystem::path& root, std::string_view app_id) {
  if (app_id.empty() || app_id.front() == '.' || app_id.find('/') != std::string_view::npos)
    return std::nullopt;
  std::ifstream head(root / app_id / "app");
  std::ifstream log(root / app_id / "log");
  StoredApp app;
  if (!std::getline(head, app.name) || !std::getline(head, app.session) ||
      !(head >> app.submitted_at))
    return std::nullopt;
  std::string role, replica, text;
  while (std::getline(log, role, '\t') && std::getline(log, replica, '\t') &&
         std::getline(log, text))
    app.log.push_back({role, std::stoi(replica), text});
  return app;
}
