#include "core/cli/terminal/plugin_output.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>

#include "core/cli/terminal/diagnostics.hpp"
#include "core/registry/calls/plugin_call.hpp"

namespace slipway::cli {

namespace {

// The number of the descriptor for the command's output: above those that plug-ins and their
// programs usually open, and below common limits.
constexpr int kAside = 200;

int the_output = STDOUT_FILENO;  // the descriptor of the command's standard output
int diverted = -1;               // the file in memory behind descriptor 1, or -1

/// Closes the command's standard output in a process that a plug-in forks. Otherwise the reader of
/// the output would also wait for that process.
void close_in_forked_process() {
  if (the_output == STDOUT_FILENO) return;
  ::close(the_output);
  the_output = STDOUT_FILENO;
}

/// Does what divert_plugin_output() promises. Returns false if no descriptor is left.
bool divert() {
  int aside = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kAside);
  if (aside < 0) aside = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int file = ::memfd_create("written-by-plug-ins", MFD_CLOEXEC);
  if (aside < 0 || file < 0 || ::dup2(file, STDOUT_FILENO) < 0) {
    if (aside >= 0) ::close(aside);
    if (file >= 0) ::close(file);
    return false;
  }
  the_output = aside;
  diverted = file;
  ::pthread_atfork(nullptr, nullptr, &close_in_forked_process);
  return true;
}

/// Returns the first `size` bytes of `file`, and empties it.
std::string take_text(int file, off_t size) {
  std::string text(static_cast<std::size_t>(size), '\0');
  const ssize_t got = ::pread(file, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  if (::ftruncate(file, 0) == 0) ::lseek(file, 0, SEEK_SET);
  return text;
}

}  // namespace

int standard_output() { return the_output; }

void divert_plugin_output() { [[maybe_unused]] static const bool is_diverted = divert(); }

void print_diverted_output(const registry::PluginCall& call) {
  static std::mutex one_at_a_time;
  static std::set<std::string> warned_of;
  if (diverted < 0) return;
  std::fflush(stdout);
  if (::lseek(diverted, 0, SEEK_CUR) <= 0) return;  // most calls print nothing and take no lock
  const std::lock_guard lock(one_at_a_time);
  const off_t size = ::lseek(diverted, 0, SEEK_CUR);
  if (size <= 0) return;
  const std::string text = take_text(diverted, size);
  const std::string id = call.plugin_id();
  if (warned_of.insert(id).second)
    say(LogLevel::kWarning, id + " writes to standard output, which belongs to the command");
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    say(LogLevel::kInfo, id + ": " + text.substr(from, end - from));
    from = end + 1;
  }
}

}  // namespace slipway::cli
