#include "plugins/docker/scheduler/helper_link.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "sdk/support/installed_helper.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/background_program.hpp"
#include "slipway/error.hpp"

namespace slipway::docker {

namespace {

BackgroundProgram helper_program(const Engine& engine, const char* word, const std::string& root,
                                 const std::string& app_id, int owner_fd) {
  std::error_code ignored;
  BackgroundProgram out;
  out.argv = {installed_helper(kHelperName), word,
              std::filesystem::absolute(engine.socket(), ignored).string(), root, app_id};
  out.in = owner_fd;
  return out;
}

/// Returns what the helper sends up to kHelperReady, or up to its end.
std::string first_words(int link, const Call& call) {
  std::string out;
  // The helper itself waits for the engine for kSilenceLimit.
  const Patience patience(call, kSilenceLimit + std::chrono::seconds(5));
  while (out.empty() || out.front() != kHelperReady) {
    pollfd fds[2] = {{link, POLLIN, 0}, {patience.cancel_fd(), POLLIN, 0}};
    ::poll(fds, 2, patience.left_ms());  // left_ms() throws when the time is up
    if (fds[0].revents == 0) continue;
    char bytes[512];
    const ssize_t count = ::recv(link, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count == 0) break;
    if (count > 0) out.append(bytes, static_cast<std::size_t>(count));
  }
  return out;
}

/// Removes the text up to the first NUL, and returns it.
std::string take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find('\0'), text.size());
  std::string out(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return out;
}

}  // namespace

std::string refusal_text(const Error& error) {
  // Codes are negative; the text has them without their sign. It never begins with kHelperReady.
  return std::to_string(-static_cast<int>(error.code())) + '\0' + error.message() + '\0' +
         error.hint();
}

Error refusal_error(const std::string& text) {
  std::string_view rest = text;
  const auto code = plain_number<int>(take_word(rest));
  std::string why = take_word(rest);
  if (why.empty()) why = "it ended and gave no reason";
  return {code ? static_cast<Code>(-*code) : Code::kUnavailable,
          "the app's helper cannot begin: " + why, std::string(rest)};
}

HelperLink::HelperLink(const Engine& engine, const std::string& root, const std::string& app_id,
                       int owner_fd, const Call& call) {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    throw Error(Code::kUnavailable, "no descriptor is left for the app's helper",
                "raise the limit of open files (ulimit -n)");
  }
  link_ = OwnedFd(pair[0]);
  OwnedFd helper_end(pair[1]);
  BackgroundProgram program = helper_program(engine, kLaunchWord, root, app_id, owner_fd);
  program.out = helper_end.get();
  start_background(program);
  helper_end.reset();
  const std::string words = first_words(link_.get(), call);
  if (!words.empty() && words.front() == kHelperReady) return;
  throw refusal_error(words);
}

void HelperLink::report_launch() const { ::send(link_.get(), &kLaunched, 1, MSG_NOSIGNAL); }

void start_successor(const Engine& engine, const std::string& root, const std::string& app_id,
                     int owner_fd) {
  start_background(helper_program(engine, kRecoverWord, root, app_id, owner_fd));
}

}  // namespace slipway::docker
