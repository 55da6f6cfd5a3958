// Stores apps in files, because a scheduler must find the apps of other processes. The directory of
// an app has the file `app`, which its submitter writes; the file `status`, which its supervisor
// replaces; the FIFO `control`, which the supervisor reads; and a file for each stream of each
// replica.
#pragma once

#include <time.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipway/app.hpp"
#include "slipway/app_text.hpp"
#include "slipway/host.hpp"

namespace faulty {

/// Returns the time of CLOCK_REALTIME in nanoseconds.
inline std::int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

struct StoredReplica {
  std::string role;
  std::int32_t id = 0;
  std::int32_t state = 0;  ///< SLIPWAY_STATE_*
  bool has_exit_code = false;
  std::int32_t exit_code = 0;
  std::int64_t pid = 0;  ///< 0: not started yet
};

struct StoredStatus {
  std::int32_t state = 0;        ///< SLIPWAY_STATE_*
  std::int64_t started_ns = 0;   ///< on CLOCK_REALTIME; 0: not yet
  std::int64_t finished_ns = 0;  ///< on CLOCK_REALTIME; 0: not yet
  std::vector<StoredReplica> replicas;
};

struct StoredApp {
  slipway::AppDef app;
  std::string session;
  std::int64_t submitted_ns = 0;  ///< on CLOCK_REALTIME
  StoredStatus status;
};

class AppStore {
 public:
  /// `host` converts apps to texts and back.
  AppStore(std::filesystem::path root, slipway::Host host) : root_(std::move(root)), host_(host) {}

  std::filesystem::path place(const std::string& id) const { return root_ / id; }
  std::filesystem::path control(const std::string& id) const { return place(id) / "control"; }
  /// Returns the file of a stream, which is "out" or "err".
  std::filesystem::path log(const std::string& id, const std::string& role, std::int32_t replica,
                            const std::string& stream) const {
    return place(id) / (role + "." + std::to_string(replica) + "." + stream);
  }

  /// Makes the directory of a new app, which exists for others once it has its status.
  void add(const std::string& id, const StoredApp& app) const {
    std::filesystem::create_directories(place(id));
    {
      std::ofstream out(place(id) / "app");
      out << app.session << '\n'
          << app.submitted_ns << '\n'
          << slipway::app_to_text(host_, app.app, slipway::Call()) << '\n';
    }
    save(id, app.status);
  }

  /// Replaces the status of an app, so that a reader sees the old one or the new one.
  void save(const std::string& id, const StoredStatus& status) const {
    const auto unfinished = place(id) / "status.new";
    {
      std::ofstream out(unfinished);
      out << status.state << ' ' << status.started_ns << ' ' << status.finished_ns << '\n';
      for (const StoredReplica& one : status.replicas)
        out << one.role << ' ' << one.id << ' ' << one.state << ' ' << one.has_exit_code << ' '
            << one.exit_code << ' ' << one.pid << '\n';
    }
    std::filesystem::rename(unfinished, place(id) / "status");
  }

  /// Returns the status of an app, or nothing for an unknown app or an invalid id.
  std::optional<StoredStatus> status(const std::string& id) const {
    if (id.empty() || id[0] == '.' || id.find('/') != std::string::npos) return std::nullopt;
    std::ifstream in(place(id) / "status");
    StoredStatus out;
    if (!(in >> out.state >> out.started_ns >> out.finished_ns)) return std::nullopt;
    for (StoredReplica one;
         in >> one.role >> one.id >> one.state >> one.has_exit_code >> one.exit_code >> one.pid;)
      out.replicas.push_back(one);
    return out;
  }

  std::optional<StoredApp> load(const std::string& id) const {
    const auto status = this->status(id);
    if (!status) return std::nullopt;
    StoredApp out;
    out.status = *status;
    std::ifstream in(place(id) / "app");
    std::string submitted, text;
    std::getline(in, out.session);
    std::getline(in, submitted);
    if (!std::getline(in, text)) return std::nullopt;  // it was deleted meanwhile
    out.submitted_ns = std::stoll(submitted);
    out.app = slipway::app_from_text(host_, text, slipway::Call());
    return out;
  }

  /// Removes the app, and with `also_logs` its logs.
  void forget(const std::string& id, bool also_logs) const {
    for (const char* file : {"app", "status", "control"}) std::filesystem::remove(place(id) / file);
    if (also_logs) std::filesystem::remove_all(place(id));
  }

  std::vector<std::string> ids() const {
    std::vector<std::string> out;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(root_, none))
      if (std::filesystem::exists(entry.path() / "status", none))
        out.push_back(entry.path().filename().string());
    return out;
  }

 private:
  std::filesystem::path root_;
  slipway::Host host_;
};

}  // namespace faulty
