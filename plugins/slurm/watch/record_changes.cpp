#include "plugins/slurm/watch/record_changes.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace slipway::slurm {

namespace {

/// Returns the meaning of a change of the file `name` in a record (script/batch_script.hpp);
/// nullopt for files that the submission writes, and for a result that is not written yet.
std::optional<QueryPace::Wake> wake_of(std::string_view name, std::uint32_t mask) {
  if (name.starts_with("job.json") || name == "job.sh") return std::nullopt;  // also drafts
  if (name != "result") return QueryPace::Wake::kProgress;  // also "result-<id>" of an array's task
  if ((mask & IN_CLOSE_WRITE) == 0) return std::nullopt;    // still empty
  return QueryPace::Wake::kEnd;
}

}  // namespace

RecordChanges::RecordChanges(const std::string& answer_dir, std::string answer_name)
    : inotify_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)), answer_name_(std::move(answer_name)) {
  if (inotify_)
    answer_watch_ = ::inotify_add_watch(inotify_.get(), answer_dir.c_str(), IN_MOVED_TO);
}

void RecordChanges::add(const std::string& record_dir, const void* subscriber) {
  if (!inotify_) return;
  for (const std::string& directory : {record_dir, record_dir + "/replicas"}) {
    const int watch =
        ::inotify_add_watch(inotify_.get(), directory.c_str(), IN_CREATE | IN_CLOSE_WRITE);
    if (watch >= 0) subscribers_[watch].push_back(subscriber);
  }
}

void RecordChanges::remove(const void* subscriber) {
  for (auto entry = subscribers_.begin(); entry != subscribers_.end();) {
    std::vector<const void*>& subscribers = entry->second;
    subscribers.erase(std::remove(subscribers.begin(), subscribers.end(), subscriber),
                      subscribers.end());
    if (!subscribers.empty()) {
      ++entry;
      continue;
    }
    ::inotify_rm_watch(inotify_.get(), entry->first);
    entry = subscribers_.erase(entry);
  }
}

bool RecordChanges::read(const OnWake& on_wake) {
  bool may_have_answer = answer_watch_ < 0;  // no event reports a new answer: look each time
  if (!inotify_) return may_have_answer;
  alignas(inotify_event) std::array<char, 65536> buffer;
  for (ssize_t size = 0; (size = ::read(inotify_.get(), buffer.data(), buffer.size())) > 0;) {
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const std::string_view name(event.len > 0 ? buffer.data() + at + sizeof event : "");
      at += sizeof event + event.len;
      if ((event.mask & IN_Q_OVERFLOW) != 0) {
        may_have_answer = true;
        for (const auto& [watch, subscribers] : subscribers_) {
          for (const void* subscriber : subscribers)
            on_wake(subscriber, QueryPace::Wake::kProgress);
        }
      } else if (event.wd == answer_watch_) {
        may_have_answer = may_have_answer || name == answer_name_;
      } else if (const auto subscribers = subscribers_.find(event.wd);
                 subscribers != subscribers_.end()) {
        const auto wake = name.empty() ? std::nullopt : wake_of(name, event.mask);
        if (!wake) continue;
        for (const void* subscriber : subscribers->second) on_wake(subscriber, *wake);
      }
    }
  }
  return may_have_answer;
}

}  // namespace slipway::slurm
