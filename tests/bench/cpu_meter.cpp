#include "tests/bench/cpu_meter.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <initializer_list>

namespace slipway::bench {
namespace {

double milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

}  // namespace

void become_subreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

double settled_cpu_ms() {
  while (::waitpid(-1, nullptr, 0) >= 0 || errno == EINTR) {
  }
  double total = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    total += milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
  }
  return total;
}

}  // namespace slipway::bench
