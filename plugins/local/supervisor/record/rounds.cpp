#include "plugins/local/supervisor/record/rounds.hpp"

#include <algorithm>

namespace slipway::local {
namespace {

// A round mark holds the last attempt of the round before, and the replica's round.
constexpr std::uint64_t make_mark(std::uint32_t attempt, std::uint32_t round) {
  return std::uint64_t{attempt} << 32U | round;
}
constexpr std::uint32_t attempt_of(std::uint64_t mark) {
  return static_cast<std::uint32_t>(mark >> 32U);
}
constexpr std::uint32_t round_of(std::uint64_t mark) { return static_cast<std::uint32_t>(mark); }

}  // namespace

ReplicaEntry Rounds::first_entry(std::uint32_t role) const {
  return files_.state().entry(files_.roles()[role].first);
}

std::uint32_t Rounds::app_restarts() const { return files_.state().header().app_round.load(); }

std::uint32_t Rounds::role_restarts(std::uint32_t role) const {
  return first_entry(role).tail.role_round.load();
}

std::uint32_t Rounds::present_round(std::uint32_t index) const {
  return app_restarts() + role_restarts(files_.role_of(index));
}

bool Rounds::is_old(std::uint32_t index) const {
  const std::uint32_t round = present_round(index);
  if (round == 0) return false;
  const ReplicaEntry entry = files_.state().entry(index);
  const std::uint64_t mark = entry.tail.round_mark.load();
  const std::uint64_t word = entry.head.word.load();
  // Nothing follows CANCELLED: a service that was stopped because the work had ended.
  if (word_state(word) == RecordState::kCancelled) return false;
  // A supervisor may die after move_on(), before the replica becomes PENDING.
  const bool left_behind =
      word_state(word) != RecordState::kPending && word_attempt(word) <= attempt_of(mark);
  return left_behind || round_of(mark) != round;
}

bool Rounds::saw_restart(std::uint32_t index) const {
  return files_.state().tail(index).round_mark.load() != 0;
}

std::uint32_t Rounds::attempts_in_round(std::uint32_t index) const {
  const ReplicaEntry entry = files_.state().entry(index);
  return word_attempt(entry.head.word.load()) - attempt_of(entry.tail.round_mark.load());
}

void Rounds::request_app_restart(std::int64_t due_ns) {
  StateHeader& header = files_.edit_header();
  header.round_due_ns.store(due_ns);
  header.app_round.fetch_add(1, std::memory_order_release);
  files_.changed();
}

void Rounds::request_role_restart(std::uint32_t role, std::int64_t due_ns) {
  const ReplicaEntry first = files_.edit(files_.roles()[role].first);
  first.tail.role_due_ns.store(due_ns);
  first.tail.role_round.fetch_add(1, std::memory_order_release);
  files_.changed(files_.roles()[role].first);
}

bool Rounds::awaits_old_processes() const {
  const StateHeader& header = files_.state().header();
  return header.cleared_round.load() != header.app_round.load();
}

void Rounds::old_processes_ended() {
  StateHeader& header = files_.edit_header();
  header.cleared_round.store(header.app_round.load());
  files_.changed();
}

void Rounds::move_on(std::uint32_t index) {
  const ReplicaEntry entry = files_.edit(index);
  entry.tail.due_ns.store(std::max(files_.state().header().round_due_ns.load(),
                                   first_entry(files_.role_of(index)).tail.role_due_ns.load()));
  entry.tail.round_mark.store(make_mark(word_attempt(entry.head.word.load()), present_round(index)),
                              std::memory_order_release);
}

}  // namespace slipway::local
