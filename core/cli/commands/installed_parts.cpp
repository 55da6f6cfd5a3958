#include "core/cli/commands/installed_parts.hpp"

#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "core/cli/commands/problem_report.hpp"
#include "sdk/support/installed_files.hpp"

namespace slipway::cli {

namespace {

namespace fs = std::filesystem;

using registry::Origin;
using registry::PlaceFindings;
using registry::PluginEntry;

/// What a plug-in runs besides its library.
struct Part {
  std::string_view plugin;
  std::string_view path;  ///< below the prefix of the plug-in's library
  bool is_script;         ///< false: a program
};

constexpr std::array<Part, 3> kParts = {{
    {"org.slipway.local", "libexec/slipway/slipway-local-supervisor", false},
    {"org.slipway.docker", "libexec/slipway/slipway-docker-supervisor", false},
    {"org.slipway.python_components", "share/slipway/python/bridge.py", true},
}};

/// Checks a script, its directory and everything below the directory.
void check_script(const fs::path& script, Origin origin, PlaceFindings& findings) {
  findings.check(script.string(), origin);
  findings.check(script.parent_path().string(), origin);
  std::error_code error;
  fs::recursive_directory_iterator each(script.parent_path(), error);
  for (; !error && each != fs::recursive_directory_iterator(); each.increment(error))
    findings.check(each->path().string(), origin);
}

void check_part(const Part& part, const PluginEntry& plugin, PlaceFindings& findings,
                std::vector<spec::Problem>& problems) {
  std::error_code error;
  const fs::path library = fs::canonical(plugin.library, error);
  if (error) return;  // a missing library is another problem
  const fs::path file = prefix_of_library(library) / part.path;
  try {
    if (part.is_script) {
      check_installed_script(file.string(), library.string());
      check_script(file, plugin.origin, findings);
    } else {
      check_installed_program(file.string(), library.string());
      findings.check_program(file.string(), plugin.origin);
    }
  } catch (const Error& refused) {
    problems.push_back(problem_of_error(refused, {file.string()}, plugin.id));
  }
}

/// Checks the running executable.
void check_executable(const registry::TrustPolicy& trust, PlaceFindings& findings,
                      std::vector<spec::Problem>& problems) {
  std::error_code error;
  const std::string file = fs::read_symlink("/proc/self/exe", error).string();
  struct stat status {};
  if (error || ::stat(file.c_str(), &status) != 0) return;
  findings.check_program(file, Origin::kVendor);
  try {
    registry::check_trusted(trust, Origin::kVendor, file, status, "the program");
    registry::check_directory_trusted(trust, Origin::kVendor, file);
  } catch (const Error& untrusted) {
    problems.push_back(problem_of_error(untrusted, {file}, {}));
    problems.back().severity = spec::Severity::kWarning;
  }
}

}  // namespace

std::vector<spec::Problem> check_installed_parts(registry::Registry& registry,
                                                 PlaceFindings& findings) {
  std::vector<spec::Problem> out;
  check_executable(registry.trust(), findings, out);
  for (const PluginEntry& plugin : registry.entries()) {
    if (!plugin.enabled || plugin.error || !plugin.shadowed_by.empty()) continue;
    for (const Part& part : kParts) {
      if (part.plugin == plugin.id) check_part(part, plugin, findings, out);
    }
  }
  return out;
}

}  // namespace slipway::cli
