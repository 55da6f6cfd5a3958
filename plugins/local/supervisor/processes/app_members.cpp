#include "plugins/local/supervisor/processes/app_members.hpp"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

#include "plugins/local/engine/directory_stream.hpp"
#include "plugins/local/engine/process_handle.hpp"
#include "plugins/local/supervisor/processes/app_mark.hpp"

namespace slipway::local {
namespace {

struct Entry {
  Member member;
  std::int32_t parent;
  bool ours;
};

/// Belonging spreads from parents to children; the depth of the tree bounds the number of rounds.
void spread(std::vector<Entry>& all) {
  std::unordered_map<std::int32_t, std::size_t> position;
  for (std::size_t i = 0; i < all.size(); ++i) position.emplace(all[i].member.pid, i);
  for (bool grown = true; grown;) {
    grown = false;
    for (Entry& entry : all) {
      const auto parent = position.find(entry.parent);
      if (entry.ours || parent == position.end() || !all[parent->second].ours) continue;
      entry.ours = grown = true;
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

void kill_until_none(const std::function<std::vector<Member>()>& look) {
  for (bool killed = true; killed;) {
    killed = false;
    for (const Member& member : look()) {
      const ProcessHandle process = open_member(member);
      if (!process.send(SIGKILL)) {
        // Gone meanwhile: what it left behind shows at the next look.
        killed = killed || errno == ESRCH;
        continue;
      }
      killed = true;
      process.await_end();
    }
  }
}

bool AppMembers::is_ours(std::int32_t session,
                         std::unordered_map<std::int32_t, bool>& known) const {
  const auto window = sessions_.find(session);
  if (window == sessions_.end()) return false;
  const auto [verdict, fresh] = known.emplace(session, true);
  ProcessStat leader;
  // The number of a session is not given away while a process is in it; a leader that is not ours
  // says that it was.
  if (fresh && read_process(session, leader)) verdict->second = started_in(window->second, leader);
  return verdict->second;
}

std::vector<Member> AppMembers::look() const {
  std::vector<Entry> all;
  std::unordered_map<std::int32_t, bool> known;
  const DirectoryStream proc(::opendir("/proc"));
  while (const dirent* entry = proc ? ::readdir(proc.get()) : nullptr) {
    const std::int32_t pid = std::atoi(entry->d_name);
    ProcessStat stat;
    if (pid <= 0 || !read_process(pid, stat) || stat.state == 'Z' || stat.state == 'X') continue;
    const bool ours = pid != ::getpid() && (is_ours(stat.session, known) || has_mark(pid, mark_));
    all.push_back({{pid, stat.start}, stat.parent, ours});
  }
  spread(all);
  std::vector<Member> members;
  for (const Entry& entry : all) {
    if (entry.ours && entry.member.pid != ::getpid()) members.push_back(entry.member);
  }
  return members;
}

}  // namespace slipway::local
