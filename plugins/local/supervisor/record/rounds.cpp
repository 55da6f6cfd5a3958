#include "plugins/local/supervisor/record/rounds.hpp"

#include <algorithm>

namespace slipway::local {
namespace {

constexpr std::uint64_t make_mark(std::uint32_t attempt, std::uint32_t round) {
  return std::uint64_t{attempt} << 32U | round;
}
constexpr std::uint32_t mark_attempt(std::uint64_t mark) {
  return static_cast<std::uint32_t>(mark >> 32U);
}
constexpr std::uint32_t mark_round(std::uint64_t mark) { return static_cast<std::uint32_t>(mark); }

}  // namespace

ReplicaRecord Rounds::first_of(std::uint32_t role) const {
  return files_.state().record(files_.roles()[role].first);
}

std::uint32_t Rounds::app_restarts() const { return files_.state().header().app_round.load(); }

std::uint32_t Rounds::role_restarts(std::uint32_t role) const {
  return first_of(role).tail.role_round.load();
}

std::uint32_t Rounds::ordered_round(std::uint32_t index) const {
  return app_restarts() + role_restarts(files_.role_of(index));
}

bool Rounds::is_old(std::uint32_t index) const {
  const std::uint32_t round = ordered_round(index);
  if (round == 0) return false;
  const ReplicaRecord record = files_.state().record(index);
  const std::uint64_t mark = record.tail.round_mark.load();
  const std::uint64_t word = record.head.word.load();
  // move_on() writes the mark before the state of the attempt that it leaves behind.
  const bool left_behind =
      word_state(word) != RecordState::kPending && word_attempt(word) <= mark_attempt(mark);
  return left_behind || mark_round(mark) != round;
}

bool Rounds::was_repeated(std::uint32_t index) const {
  return files_.state().tail(index).round_mark.load() != 0;
}

std::uint32_t Rounds::attempts_in_round(std::uint32_t index) const {
  const ReplicaRecord record = files_.state().record(index);
  return word_attempt(record.head.word.load()) - mark_attempt(record.tail.round_mark.load());
}

void Rounds::order_app(std::int64_t due_ns) {
  StateHeader& header = files_.edit_header();
  header.round_due_ns.store(due_ns);
  header.app_round.fetch_add(1, std::memory_order_release);
  files_.changed();
}

void Rounds::order_role(std::uint32_t role, std::int64_t due_ns) {
  const ReplicaRecord first = files_.edit(files_.roles()[role].first);
  first.tail.role_due_ns.store(due_ns);
  first.tail.role_round.fetch_add(1, std::memory_order_release);
  files_.changed(files_.roles()[role].first);
}

bool Rounds::awaits_clearing() const {
  const StateHeader& header = files_.state().header();
  return header.swept_round.load() != header.app_round.load();
}

void Rounds::mark_cleared() {
  StateHeader& header = files_.edit_header();
  header.swept_round.store(header.app_round.load());
  files_.changed();
}

void Rounds::move_on(std::uint32_t index) {
  const ReplicaRecord record = files_.edit(index);
  record.tail.due_ns.store(std::max(files_.state().header().round_due_ns.load(),
                                    first_of(files_.role_of(index)).tail.role_due_ns.load()));
  record.tail.round_mark.store(
      make_mark(word_attempt(record.head.word.load()), ordered_round(index)),
      std::memory_order_release);
}

}  // namespace slipway::local
