#include "core/registry/load_trial.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "core/registry/host_table.hpp"
#include "core/registry/library.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::registry {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

std::string text_of(slipway_str text) {
  return text.ptr == nullptr ? std::string() : std::string(text.ptr, text.len);
}

json::array texts(const std::vector<std::string>& from) {
  json::array out;
  for (const std::string& text : from) out.emplace_back(text);
  return out;
}

// Everything that the child finds out, as a text for the parent.
std::string report_of(const PluginEntry& plugin, const TrustPolicy& trust) {
  json::object out;
  try {
    std::vector<spec::Problem> problems;
    const auto services = std::make_shared<HostServices>();
    services->state_dir = &default_state_dir;
    const auto library =
        Library::load(plugin, make_host_table(plugin.id, services), trust, problems);
    const slipway_plugin& described = library->descriptor();
    std::vector<std::string> provides;
    for (std::size_t i = 0; i < described.providers.count; ++i) {
      const slipway_provider* each = SLIPWAY_AT(described.providers, slipway_provider, i);
      provides.push_back(text_of(each->kind) + " " + text_of(each->name));
    }
    std::vector<std::string> warnings;
    for (const spec::Problem& problem : problems) warnings.push_back(spec::to_string(problem));
    out = {{"id", library->id()},
           {"version", library->version()},
           {"build", text_of(described.build)},
           {"provides", texts(provides)},
           {"warnings", texts(warnings)}};
  } catch (const Error& error) {
    out = {{"code", static_cast<std::int32_t>(error.code())},
           {"message", error.message()},
           {"hint", error.hint()},
           {"where", error.where()}};
  }
  return json::serialize(out);
}

[[noreturn]] void run_child(const PluginEntry& plugin, const TrustPolicy& trust, int report) {
  // Nothing of what the library does may reach the terminal, or leave a core behind.
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; ++fd) ::dup2(null, fd);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const std::string text = report_of(plugin, trust);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(report, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) break;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  // neither destructors nor what the library registered: the process is only here to be looked at
  ::_exit(0);
}

// False when the time is up.
bool read_all(int fd, Clock::time_point deadline, std::string& out) {
  char buffer[4096];
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd one{fd, POLLIN, 0};
    if (left <= 0 || ::poll(&one, 1, static_cast<int>(left)) == 0) return false;
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n == 0) return true;
    if (n < 0 && errno != EINTR) return true;
    if (n > 0) out.append(buffer, static_cast<std::size_t>(n));
  }
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                       ::strsignal(WTERMSIG(status)));
  }
  return fmt::format("exited with status {}", WEXITSTATUS(status));
}

LoadTrial parsed(const std::string& report) {
  LoadTrial out;
  const json::object object = json::parse(report).as_object();
  const auto text = [&](const char* key) { return std::string(object.at(key).as_string()); };
  if (object.contains("message")) {
    out.error.emplace(static_cast<Code>(object.at("code").to_number<std::int32_t>()),
                      text("message"), text("hint"), text("where"));
    return out;
  }
  out.id = text("id");
  out.version = text("version");
  out.build = text("build");
  for (const json::value& each : object.at("provides").as_array())
    out.provides.emplace_back(each.as_string());
  for (const json::value& each : object.at("warnings").as_array())
    out.warnings.emplace_back(each.as_string());
  return out;
}

}  // namespace

LoadTrial try_load(const PluginEntry& plugin, const TrustPolicy& trust, int timeout_ms) {
  LoadTrial failed;
  const auto fail = [&](std::string what, std::string hint) {
    failed.error.emplace(Code::kAbi,
                         fmt::format("plug-in library {} {}", plugin.library, std::move(what)),
                         std::move(hint), plugin.library);
    return failed;
  };
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return fail("cannot be tried: no descriptor is left", {});
  const OwnedFd mine(ends[0]);
  OwnedFd theirs(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) return fail("cannot be tried: no process can be made", {});
  if (child == 0) run_child(plugin, trust, theirs.get());
  theirs = OwnedFd();
  std::string report;
  const bool in_time =
      read_all(mine.get(), Clock::now() + std::chrono::milliseconds(timeout_ms), report);
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time)
    return fail(fmt::format("was not loaded within {} s", timeout_ms / 1000),
                "its constructors or its init wait for something");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || report.empty())
    return fail("cannot be loaded: the process that tried " + how_it_ended(status),
                "constructors of global objects, or init, must neither throw nor exit");
  return parsed(report);
}

}  // namespace slipway::registry
