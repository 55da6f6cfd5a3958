#include "plugins/local/engine/cgroup_place.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "plugins/local/engine/file_io.hpp"
#include "slipway/error.hpp"

namespace slipway::local {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) out.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

bool has_word(std::string_view words, std::string_view word, char separator) {
  for (const std::string_view one : split(words, separator)) {
    if (one == word) return true;
  }
  return false;
}

/// Returns the mount point of the hierarchy of `controller`; if `controller` is empty, of the
/// unified hierarchy. `mounts` is the text of /proc/self/mountinfo. Empty if the hierarchy is not
/// mounted.
std::string mounted_at(std::string_view mounts, std::string_view controller) {
  for (const std::string_view line : split(mounts, '\n')) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    // proc(5): the fifth field is the mount point. After the dash come type, source and options.
    const auto front = split(line.substr(0, dash), ' ');
    const auto back = split(line.substr(dash + 3), ' ');
    if (front.size() < 5 || back.size() < 3) continue;
    const bool is_wanted = controller.empty()
                               ? back[0] == "cgroup2"
                               : back[0] == "cgroup" && has_word(back[2], controller, ',');
    if (is_wanted) return std::string(front[4]);
  }
  return {};
}

/// Returns the caller's own cgroup in the hierarchy of `controller` (empty: the unified one),
/// relative to its top (`/user.slice/…`). `own` is the text of /proc/self/cgroup, with lines such
/// as `4:cpu,cpuacct:/user.slice` and, for the unified hierarchy, `0::/user.slice`.
std::string own_path(std::string_view own, std::string_view controller) {
  for (const std::string_view line : split(own, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view names = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? names.empty() : has_word(names, controller, ','))
      return std::string(line.substr(second + 1));
  }
  return {};
}

/// Returns why the caller cannot make cgroups with memory and cpu limits in `dir`; empty: it can.
std::string unified_problem(const std::string& dir) {
  const std::string controllers = kernel_file(dir + "/cgroup.controllers");
  std::string words = controllers.substr(0, controllers.find('\n'));
  for (const char* name : {"memory", "cpu"}) {
    if (!has_word(words, name, ' ')) return dir + " has no " + name + " controller";
  }
  if (::access(dir.c_str(), W_OK) != 0 ||
      ::access((dir + "/cgroup.subtree_control").c_str(), W_OK) != 0)
    return dir + " cannot be written";
  const std::string enabled_text = kernel_file(dir + "/cgroup.subtree_control");
  const std::string enabled = enabled_text.substr(0, enabled_text.find('\n'));
  // Only the top cgroup lacks this file. It may have processes and controllers.
  const bool is_top = ::access((dir + "/cgroup.type").c_str(), F_OK) != 0;
  if (!is_top && !(has_word(enabled, "memory", ' ') && has_word(enabled, "cpu", ' ')) &&
      !kernel_file(dir + "/cgroup.procs").empty())
    return dir + " has processes of its own, so its children cannot have controllers";
  return {};
}

/// Returns the directory in SLIPWAY_LOCAL_CGROUP; empty: the variable is empty or not set. Throws
/// kConfig if it is not an absolute path.
std::string given_place() {
  const char* variable = std::getenv("SLIPWAY_LOCAL_CGROUP");
  const std::string given = variable != nullptr ? variable : "";
  if (given.empty() || given.front() == '/') return given;
  throw Error(Code::kConfig, "SLIPWAY_LOCAL_CGROUP is not an absolute path: " + given,
              "write the directory of the cgroup, such as /sys/fs/cgroup/" + given);
}

/// Returns the directory to try in the unified hierarchy, which is mounted at `top`; empty: the
/// caller has none. `own` is the caller's cgroup there.
std::string unified_candidate(const std::string& top, const std::string& own) {
  const uid_t user = ::geteuid();
  if (user == 0) return top;
  const std::string number = std::to_string(user);
  const std::string delegated = "/user.slice/user-" + number + ".slice/user@" + number + ".service";
  // A user may move processes within a delegated cgroup, but not into it.
  return own.starts_with(delegated + '/') ? top + delegated : "";
}

}  // namespace

CgroupPlace find_cgroup_place() {
  const std::string given = given_place();
  const std::string mounts = kernel_file("/proc/self/mountinfo");
  const std::string own = kernel_file("/proc/self/cgroup");
  std::vector<std::string> reasons;
  const std::string top = mounted_at(mounts, "");
  if (!top.empty()) {
    const std::string dir = given.empty() ? unified_candidate(top, own_path(own, "")) : given;
    const std::string problem = dir.empty()
                                    ? "this process is in no cgroup that was delegated to its user"
                                    : unified_problem(dir);
    if (problem.empty()) return {true, dir, dir};
    reasons.push_back("v2: " + problem);
  }
  CgroupPlace place;
  place.unified = false;
  bool complete = true;
  const struct {
    const char* name;
    std::string& dir;
  } wanted[] = {{"memory", place.memory}, {"cpu", place.cpu}};
  for (const auto& [name, dir] : wanted) {
    const std::string mount = mounted_at(mounts, name);
    if (mount.empty()) {
      reasons.push_back(std::string("v1: no ") + name + " controller");
      complete = false;
      continue;
    }
    dir = mount + own_path(own, name);
    // In a container the mount point may be the caller's own cgroup.
    if (::access(dir.c_str(), F_OK) != 0) dir = mount;
    if (::access(dir.c_str(), W_OK) != 0) {
      reasons.push_back("v1: " + dir + " cannot be written");
      complete = false;
    }
  }
  if (complete) return place;
  std::string why;
  for (const std::string& reason : reasons) why += (why.empty() ? "" : "; ") + reason;
  throw Error(Code::kPrecondition, "enforce=cgroup is not possible here: " + why,
              "be root, or have a cgroup delegated to you (systemd: Delegate=yes; "
              "SLIPWAY_LOCAL_CGROUP names it), or use enforce=rlimit");
}

}  // namespace slipway::local
