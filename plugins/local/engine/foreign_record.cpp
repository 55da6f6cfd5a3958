#include "plugins/local/engine/foreign_record.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>

#include "plugins/local/engine/app_reader.hpp"
#include "plugins/local/engine/plan.hpp"

namespace slipway::local {
namespace {

/// Throws the error about an app that `verb`, "runs" or "ran", on another machine.
[[noreturn]] void refuse_other_machine(const AppRef& app, const char* verb,
                                       const std::string& host) {
  throw Error(
      Code::kUnavailable,
      "the app " + app.app_id + ' ' + verb + " on " + host + ", another machine",
      "run the command on that machine; if it no longer exists, remove " + app_dir_path(app));
}

/// Returns the result of `read`; nullopt if it throws kInvalid, the code of a damaged file. A file
/// that cannot be read now, such as one of a file server that is away, may be intact.
template <typename Read>
auto unless_damaged(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error& error) {
    if (error.code() != Code::kInvalid) throw;
    return std::nullopt;
  }
}

/// Returns whether the record has a plan, perhaps an unreadable one. A link or directory in its
/// place is none.
bool has_plan(int dir_fd) {
  struct stat info {};
  if (::fstatat(dir_fd, kPlanName, &info, AT_SYMLINK_NOFOLLOW) != 0) return errno != ENOENT;
  return S_ISREG(info.st_mode);
}

}  // namespace

MachineIdentity machine_of(const StateFixed& fixed, const std::string& host) {
  return {std::string(fixed.boot_id, sizeof fixed.boot_id), fixed.machine, host};
}

Foreign foreign_of(const StateFixed& fixed, const std::string& host) {
  if (!is_this_machine(machine_of(fixed, host))) return Foreign::kMachine;
  return fixed.version > kStateVersion ? Foreign::kVersion : Foreign::kNo;
}

void require_own(const AppRef& ref, const AppSummary& app) {
  switch (app.foreign) {
    case Foreign::kNo: return;
    case Foreign::kVersion:
      throw Error(Code::kUnavailable,
                  "the record of " + ref.app_id + " was written by a newer version of Slipway",
                  "use the version that started it; this one only shows the app");
    case Foreign::kMachine:
      refuse_other_machine(ref, is_terminal(app.state) ? "ran" : "runs", app.host);
  }
}

void require_own_record(const AppRef& ref, int dir_fd) {
  if (const auto app = unless_damaged([&] { return read_summary(ref, dir_fd); }))
    return require_own(ref, *app);
  if (!has_plan(dir_fd)) return;
  // Without its state, the app is assumed to run still.
  const auto plan = unless_damaged([&] { return load_plan(dir_fd); });
  if (plan && !is_this_machine(plan->machine))
    refuse_other_machine(ref, "runs", plan->machine.host);
}

}  // namespace slipway::local
