#include "plugins/local/supervisor/spawning/program_search.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "plugins/local/engine/file_io.hpp"
#include "plugins/local/engine/shortage.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::local {
namespace {

int why_not(int cwd_fd, const std::string& path) {
  struct stat info {};
  if (::fstatat(cwd_fd, path.c_str(), &info, 0) != 0) return errno;
  if (!S_ISREG(info.st_mode)) return EACCES;
  return may_execute(cwd_fd, path.c_str()) ? 0 : errno;
}

}  // namespace

FoundProgram find_program(const std::string& program, const std::string& cwd,
                          const std::string& search_path) {
  OwnedFd dir(::open(cwd.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!dir) return {cwd, errno};
  if (!may_execute(dir.get(), ".")) return {cwd, errno};
  if (program.find('/') != std::string::npos) return {program, why_not(dir.get(), program)};
  int error = ENOENT;
  for (std::size_t from = 0; from <= search_path.size();) {
    std::size_t end = search_path.find(':', from);
    if (end == std::string::npos) end = search_path.size();
    std::string candidate = search_path.substr(from, end - from);
    candidate += candidate.empty() ? "./" : "/";
    candidate += program;
    const int problem = why_not(dir.get(), candidate);
    if (problem == 0) return {candidate, 0};
    if (problem == EACCES || is_shortage(problem)) error = problem;
    from = end + 1;
  }
  return {program, error};
}

}  // namespace slipway::local
