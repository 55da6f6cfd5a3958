#include "plugins/local/supervisor/spawning/program_search.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/private_mounts.hpp"
#include "plugins/local/supervisor/spawning/replica_recipe.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

constexpr char kDefaultPath[] = "/bin:/usr/bin";  // execvp's if PATH is not set

/// Returns 0 if this process may execute the file `path`, else an errno.
int execution_error(int cwd_fd, const std::string& path) {
  struct stat info {};
  if (::fstatat(cwd_fd, path.c_str(), &info, 0) != 0) return errno;
  if (!S_ISREG(info.st_mode)) return EACCES;
  return may_execute(cwd_fd, path.c_str()) ? 0 : errno;
}

/// Finds `program` as execvpe() does, for a process in `cwd` whose PATH is `search_path`. A name
/// with a slash is a path, relative to `cwd`. Any other name is searched for in each directory of
/// the PATH; an empty entry stands for `cwd`. If it is found nowhere, the error is ENOENT, or the
/// last EACCES or shortage that the search met, with the path that it met there. If `cwd` cannot be
/// entered, the error concerns it.
FoundProgram search(const std::string& program, const std::string& cwd,
                    const std::string& search_path) {
  OwnedFd dir(::open(cwd.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!dir || !may_execute(dir.get(), ".")) return {.path = cwd, .error = errno, .is_cwd = true};
  if (program.find('/') != std::string::npos) return {program, execution_error(dir.get(), program)};
  FoundProgram failed = {program, ENOENT};
  for (std::size_t from = 0; from <= search_path.size();) {
    std::size_t end = search_path.find(':', from);
    if (end == std::string::npos) end = search_path.size();
    std::string candidate = search_path.substr(from, end - from);
    candidate += candidate.empty() ? "./" : "/";
    candidate += program;
    const int problem = execution_error(dir.get(), candidate);
    if (problem == 0) return {candidate};
    if (problem == EACCES || is_shortage(problem)) failed = {candidate, problem};
    from = end + 1;
  }
  return failed;
}

}  // namespace

std::string FoundProgram::attempted() const { return (is_cwd ? "enter " : "start ") + path; }

std::string search_path(const LaunchPlan& plan, const LaunchGroup& group, std::int32_t replica) {
  std::string path;
  return replica_variable(plan, group, replica, "PATH", path) ? path : kDefaultPath;
}

FoundProgram find_program(const LaunchGroup& group, const std::string& search_path) {
  const std::vector<BindMount>& mounts = group.needs.mounts;
  const std::string& program = group.argv[0];
  if (mounts.empty()) return search(program, group.cwd, search_path);
  FoundProgram found =
      search(outside_path(mounts, program), outside_path(mounts, group.cwd), search_path);
  if (found.is_cwd) {
    found.path = group.cwd;
  } else if (program.front() == '/') {
    found.path = program;
  }
  return found;
}

}  // namespace slipway::local
