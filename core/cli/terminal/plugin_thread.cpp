#include "core/cli/terminal/plugin_thread.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include "core/cli/terminal/plugin_crash.hpp"
#include "slipway/error.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::cli {

namespace {

/// Makes the stacks of new threads large enough for plug-ins, whatever `ulimit -s` is.
void use_large_stacks() {
  constexpr std::size_t kEnough = std::size_t{1} << 20U;  // bytes
  pthread_attr_t attributes;
  std::size_t size = 0;
  if (::pthread_getattr_default_np(&attributes) != 0) return;
  if (::pthread_attr_getstacksize(&attributes, &size) == 0 && size < kEnough &&
      ::pthread_attr_setstacksize(&attributes, kEnough) == 0)
    ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

}  // namespace

struct PluginThread::State {
  std::function<void()> work;
  std::optional<std::string> failure;  // the message of the exception that ended the work
  OwnedFd done;     // the reading end of a pipe, which hangs up when the work has ended
  OwnedFd working;  // the writing end, closed at the end: unlike writing, this cannot fail
};

PluginThread::PluginThread(std::function<void()> work, const char* hint)
    : state_(std::make_shared<State>()) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw Error(Code::kUnavailable, "no descriptor is left for a thread",
                "raise the limit of open files (ulimit -n)");
  }
  state_->done = OwnedFd(ends[0]);
  state_->working = OwnedFd(ends[1]);
  state_->work = std::move(work);
  use_large_stacks();
  try {
    thread_ = std::thread([state = state_] {
      const CrashStack crash_stack;
      try {
        state->work();
      } catch (const std::exception& error) {
        state->failure = error.what();
      }
      state->working.reset();
    });
  } catch (const std::system_error& error) {
    throw Error(Code::kTemporary, std::string("no thread can be started: ") + error.what(), hint);
  }
}

PluginThread::~PluginThread() = default;

int PluginThread::done_fd() const { return state_->done.get(); }

bool PluginThread::join_or_leave(Clock::time_point end) {
  pollfd done{done_fd(), POLLIN, 0};
  int ready = -1;
  // Each signal of a time limit interrupts poll(), so the loop computes the remaining time.
  while (ready < 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    ready = ::poll(&done, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready < 0 && errno != EINTR) ready = 0;
  }
  if (ready > 0) {
    thread_.join();
  } else {
    thread_.detach();
  }
  return ready > 0;
}

const std::optional<std::string>& PluginThread::failure() const { return state_->failure; }

}  // namespace slipway::cli
