#include "sdk/check/checks/marked_processes.hpp"

#include <filesystem>

#include "sdk/support/file_text.hpp"
#include "sdk/support/plain_number.hpp"

namespace slipway::check {

namespace {

constexpr const char* kMark = "SLIPWAY_CHECK_MARK";

}  // namespace

void mark_processes(AppDef& app, const std::string& mark) {
  for (Role& role : app.roles) role.with_env(kMark, mark);
}

std::vector<pid_t> marked_processes(const std::string& mark) {
  // In /proc/PID/environ each entry ends with NUL.
  const std::string entry = std::string(kMark) + "=" + mark + std::string(1, '\0');
  std::vector<pid_t> out;
  std::error_code ignored;
  for (const auto& process : std::filesystem::directory_iterator("/proc", ignored)) {
    const auto pid = plain_number<pid_t>(process.path().filename().string());
    if (pid && file_text(process.path() / "environ").value_or("").find(entry) != std::string::npos)
      out.push_back(*pid);
  }
  return out;
}

}  // namespace slipway::check
