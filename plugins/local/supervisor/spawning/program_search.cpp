#include "plugins/local/supervisor/spawning/program_search.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/private_mounts.hpp"
#include "plugins/local/supervisor/spawning/replica_recipe.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/search_paths.hpp"

namespace slipway::local {
namespace {

constexpr char kDefaultPath[] = "/bin:/usr/bin";  // execvp's if PATH is not set

/// Returns 0 if this process may execute the file that a replica of the group finds at `path`, else
/// an errno. `cwd_fd` is the group's working directory.
int execution_error(int cwd_fd, const LaunchGroup& group, const std::string& path) {
  const std::string file = group.needs.mounts.empty() ? path : machine_path(group, path);
  struct stat info {};
  if (::fstatat(cwd_fd, file.c_str(), &info, 0) != 0) return errno;
  if (!S_ISREG(info.st_mode)) return EACCES;
  return may_execute(cwd_fd, file.c_str()) ? 0 : errno;
}

}  // namespace

std::string FoundProgram::attempted() const { return (is_cwd ? "enter " : "start ") + path; }

std::string search_path(const LaunchPlan& plan, const LaunchGroup& group, std::int32_t replica) {
  std::string path;
  return replica_variable(plan, group, replica, "PATH", path) ? path : kDefaultPath;
}

std::string machine_path(const LaunchGroup& group, const std::string& path) {
  const bool is_absolute = path.front() == '/';
  return outside_path(group.needs.mounts, is_absolute ? path : group.cwd + '/' + path);
}

FoundProgram find_program(const LaunchGroup& group, const std::string& search_path) {
  const std::string cwd = machine_path(group, group.cwd);
  const OwnedFd dir(::open(cwd.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!dir || !may_execute(dir.get(), "."))
    return {.path = group.cwd, .error = errno, .is_cwd = true};
  const std::string& program = group.argv[0];
  if (program.find('/') != std::string::npos)
    return {program, execution_error(dir.get(), group, program)};
  FoundProgram failed = {program, ENOENT};
  for (const std::string_view directory : path_directories(search_path)) {
    const std::string candidate = std::string(directory) + '/' + program;
    const int problem = execution_error(dir.get(), group, candidate);
    if (problem == 0) return {candidate};
    if (problem == EACCES || is_shortage(problem)) failed = {candidate, problem};
  }
  return failed;
}

}  // namespace slipway::local
