// `config init`: writes a configuration file that the user can fill in.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/cli/apps/all_schedulers.hpp"
#include "core/cli/apps/app_lookup.hpp"
#include "core/cli/commands/commands.hpp"
#include "core/cli/options/option_settings.hpp"
#include "core/cli/output/json_output.hpp"
#include "core/cli/terminal/diagnostics.hpp"
#include "core/cli/terminal/exit_status.hpp"
#include "core/cli/terminal/standard_streams.hpp"
#include "core/config/config_template.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::cli {

namespace {

constexpr const char* kFile = "slipway.toml";  // in the working directory

/// Returns the run options of the schedulers in the list `wanted` ("A,B"), or of all schedulers if
/// the list is empty.
Dict<RunOpts> run_options_of(Invocation& invocation, const std::string& wanted) {
  Runner& runner = invocation.runner();
  const std::vector<std::string> names = comma_list(wanted);
  Dict<RunOpts> out;
  for (const std::string& scheduler : names) set(out, scheduler, runner.run_opts(scheduler));
  if (!names.empty()) return out;
  for (auto& answer : runner.run_opts_of(runner.scheduler_backends())) {
    warn_if_failed(answer);
    if (!answer.error) set(out, answer.scheduler, std::move(answer.answer));
  }
  return out;
}

/// Returns the options of all commands with their defaults.
std::vector<config::CommandOption> command_options(const CLI::App& app) {
  std::vector<config::CommandOption> out;
  for (const ConfigurableOption& option : configurable_options(app))
    out.push_back({option.key, option.help, default_value(option)});
  return out;
}

/// Throws the error for a failed system call on `path`; errno has the cause.
[[noreturn]] void throw_cannot_write(const std::string& path) {
  throw Error(errno == EACCES || errno == EPERM ? Code::kDenied : Code::kCantCreate,
              path + " cannot be written: " + std::strerror(errno));
}

/// Gives the draft its name. Returns false with errno set if that fails, EEXIST for an existing
/// file.
bool publish_new(const std::string& draft, const std::string& path) {
  if (::link(draft.c_str(), path.c_str()) == 0) {
    ::unlink(draft.c_str());
    return true;
  }
  const int error = errno;
  if (error == EEXIST) return false;
  // vfat and others have no hard links, and NFS, which has them, has no RENAME_NOREPLACE.
  if (::renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0)
    return true;
  if (errno != EEXIST) errno = error;
  return false;
}

/// Writes a draft and renames it, so that a failure never leaves a part of the file under its name.
/// With `replace`, replaces an existing file; otherwise throws Error kExists for it.
void write_file(const std::string& path, const std::string& text, bool replace) {
  const std::string draft = path + "." + std::to_string(::getpid());
  const OwnedFd file(
      ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (file.get() < 0) throw_cannot_write(path);
  const auto publish = [&] {
    if (!write_all(file.get(), text)) throw_cannot_write(path);
    // A network file system may report a full disk or an exceeded quota only now.
    if (::fsync(file.get()) != 0) throw_cannot_write(path);
    if (replace) {
      if (::rename(draft.c_str(), path.c_str()) != 0) throw_cannot_write(path);
    } else if (!publish_new(draft, path)) {
      if (errno != EEXIST) throw_cannot_write(path);
      throw Error(Code::kExists, path + " exists already", "--force replaces it");
    }
  };
  try {
    publish();
  } catch (const Error&) {
    ::unlink(draft.c_str());
    throw;
  }
}

}  // namespace

int config_init(Invocation& invocation, const ConfigCommand& command) {
  const std::string text = config::config_template(command_options(*command.make_cli_app()),
                                                   run_options_of(invocation, command.schedulers));
  if (command.print) {
    if (invocation.json()) {
      write_json(boost::json::object{{"file", nullptr}, {"text", text}});
    } else {
      write_output(text);
    }
    return kExitOk;
  }
  std::error_code ignored;  // of a deleted working directory, in which write_file() fails
  const std::string path = (std::filesystem::current_path(ignored) / kFile).string();
  write_file(path, text, command.force);
  if (invocation.json()) write_json(boost::json::object{{"file", path}});
  say(LogLevel::kInfo, "wrote " + path);
  return kExitOk;
}

}  // namespace slipway::cli
