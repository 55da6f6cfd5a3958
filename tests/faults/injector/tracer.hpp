#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "tests/faults/injector/fault.hpp"
#include "tests/faults/injector/process_part.hpp"
#include "tests/faults/injector/report.hpp"

namespace slipway::faults {

/// Runs a command under ptrace, follows every process that it starts, and injects one fault.
///
/// Only calls of the target stop; everything else runs at full speed. After the fault the tracer
/// detaches every process, so that the rest of the run is undisturbed. If the tracer dies, the
/// kernel detaches them.
class Tracer {
 public:
  Tracer(const Fault& fault, const Report& report) : fault_(fault), report_(report) {}

  /// Returns when the command has ended and no traced process is left. Throws std::system_error if
  /// the command cannot be started or traced; the code is EPERM where ptrace is forbidden.
  void run(const std::vector<std::string>& command);

 private:
  struct Process {
    pid_t group = 0;  // thread group
    Part part = Part::kOther;
    int instance = 0;
    std::uint64_t calls = 0;  // selected calls so far; counted at the group's leader
    bool target = false;      // the tracer stops it at its calls and counts them
    bool attached = true;
    // A replica's program or a tool, which is not traced. A shell around the commands also has the
    // part kOther, but it is traced, because its children execute `slipway`.
    bool stranger = false;
    bool kill_at_exit = false;  // at the exit of its current call
    bool fail_at_exit = false;  // likewise
  };

  void handle_stop(pid_t pid, int status);
  void handle_call(pid_t pid, Process& process);
  void enter_call(pid_t pid, Process& process, std::uint64_t number,
                  const std::uint64_t* arguments);
  void leave_call(pid_t pid, Process& process);
  void handle_fork(pid_t pid, const Process& parent, int event);
  void handle_exec(pid_t pid, Process& process);
  void handle_end(pid_t pid, int status);
  void give_part(Process& process, Part part);
  void kill_target(const Process& process);
  void finish();
  void resume(pid_t pid, int signal);
  [[nodiscard]] bool is_selected(std::uint64_t count) const;

  const Fault& fault_;
  const Report& report_;
  std::map<pid_t, Process> processes_;
  std::set<pid_t> early_;  // processes that stopped before the tracer saw their parent's fork
  int instances_[kPartCount] = {};  // how many processes have played each part
  std::uint64_t shared_calls_ = 0;  // with every_part
  pid_t root_ = 0;                  // the command
  // The fault was injected or cannot happen any more, so the tracer detaches the processes.
  bool done_ = false;
};

}  // namespace slipway::faults
