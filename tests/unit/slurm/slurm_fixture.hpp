// A directory with stand-ins for Slurm's commands, first on PATH.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "plugins/slurm/script/plan_builder.hpp"
#include "sdk/support/file_text.hpp"

namespace slipway::slurm::test {

namespace fs = std::filesystem;

struct SlurmFixture {
  SlurmFixture() {
    std::string name = (fs::temp_directory_path() / "slipway_slurm_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no directory for the test");
    directory = name;
    if (const char* const set = std::getenv("PATH")) old_path = set;
    fs::create_directories(directory + "/bin");
    ::setenv("PATH", (directory + "/bin:/usr/bin:/bin").c_str(), 1);
  }
  ~SlurmFixture() {
    ::setenv("PATH", old_path.c_str(), 1);
    std::error_code ignored;
    fs::remove_all(directory, ignored);
  }

  std::string path(const std::string& name) const { return directory + "/" + name; }

  /// Installs a command that is a bash script.
  void install(const std::string& command, const std::string& script) const {
    std::ofstream(path("bin/" + command)) << "#!/bin/bash\n" << script << "\n";
    fs::permissions(path("bin/" + command), fs::perms::owner_all);
  }

  static std::string contents(const std::string& file) { return file_text(file).value_or(""); }

  /// Returns the job of `app`, and creates the directory of its record.
  JobPlan plan(const AppDef& app, SlurmOptions options = {}, const ClusterFacts& facts = {}) const {
    JobPlan out = build_plan(app, options, facts, {"s", "s/app-x1", path("state")}, {});
    fs::create_directories(out.record_dir + "/replicas");
    return out;
  }

  std::string directory;
  std::string old_path;
};

inline AppDef app_of(Role role) {
  AppDef app("app");
  app.of(std::move(role));
  return app;
}

}  // namespace slipway::slurm::test
