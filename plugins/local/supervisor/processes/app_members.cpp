#include "plugins/local/supervisor/processes/app_members.hpp"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "plugins/local/engine/process_handle.hpp"
#include "plugins/local/supervisor/processes/app_mark.hpp"
#include "sdk/support/directory_stream.hpp"

namespace slipway::local {
namespace {

/// A process of the machine.
struct Candidate {
  Member member;
  std::int32_t parent;  // pid
  bool is_member;
};

/// Marks the children of members as members, until no more are found.
void add_descendants(std::vector<Candidate>& all) {
  std::unordered_map<std::int32_t, std::size_t> position;
  for (std::size_t i = 0; i < all.size(); ++i) position.emplace(all[i].member.pid, i);
  for (bool grown = true; grown;) {
    grown = false;
    for (Candidate& candidate : all) {
      const auto parent = position.find(candidate.parent);
      if (candidate.is_member || parent == position.end() || !all[parent->second].is_member)
        continue;
      candidate.is_member = grown = true;
    }
  }
}

/// Opens the process that `member` was.
ProcessHandle open_member(const Member& member) {
  return ProcessHandle(member.pid, [&member] {
    ProcessStat stat;
    return read_process(member.pid, stat) && stat.start == member.start;
  });
}

}  // namespace

bool signal_member(const Member& member, int signal) { return open_member(member).send(signal); }

void kill_until_none(const std::function<std::vector<Member>()>& find) {
  for (bool killed = true; killed;) {
    killed = false;
    for (const Member& member : find()) {
      const ProcessHandle process = open_member(member);
      if (!process.send(SIGKILL)) {
        // It has ended, and the next search finds the children that it left behind.
        killed = killed || errno == ESRCH;
        continue;
      }
      killed = true;
      process.await_end();
    }
  }
}

/// Returns whether the process session is that of a replica. `known` keeps the results of one
/// find().
bool AppMembers::is_app_session(std::int32_t session,
                                std::unordered_map<std::int32_t, bool>& known) const {
  const auto window = sessions_.find(session);
  if (window == sessions_.end()) return false;
  const auto [verdict, fresh] = known.emplace(session, true);
  ProcessStat leader;
  // The kernel does not reuse the number of a process session that has processes. So if the leader
  // is not the recorded process, the session is another one.
  if (fresh && read_process(session, leader)) verdict->second = started_in(window->second, leader);
  return verdict->second;
}

std::vector<Member> AppMembers::find() const {
  std::vector<Candidate> all;
  std::unordered_map<std::int32_t, bool> known;
  const DirectoryStream proc(::opendir("/proc"));
  while (const dirent* entry = proc ? ::readdir(proc.get()) : nullptr) {
    const std::int32_t pid = std::atoi(entry->d_name);
    ProcessStat stat;
    if (pid <= 0 || !read_process(pid, stat) || stat.state == 'Z' || stat.state == 'X') continue;
    const bool is_member =
        pid != ::getpid() && (is_app_session(stat.session, known) || has_mark(pid, mark_));
    all.push_back({{pid, stat.start}, stat.parent, is_member});
  }
  add_descendants(all);
  std::vector<Member> members;
  for (const Candidate& candidate : all) {
    if (candidate.is_member && candidate.member.pid != ::getpid())
      members.push_back(candidate.member);
  }
  return members;
}

}  // namespace slipway::local
