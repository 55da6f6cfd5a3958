#include "plugins/docker/state/mark.hpp"

#include <array>

namespace slipway::docker {

namespace {

struct Row {
  Mark mark;
  std::string_view name;
  rules::Reason reason;
};

using rules::Reason;

constexpr std::array<Row, 10> kRows = {{
    {Mark::kCancelled, ".cancelled", Reason::kCancelled},
    {Mark::kAppTimeout, ".app_timeout", Reason::kTimeout},
    {Mark::kFailFast, ".fail_fast", Reason::kCancelled},
    {Mark::kTooFew, ".too_few", Reason::kCancelled},
    {Mark::kWorkDone, ".work_done", Reason::kWorkDone},
    {Mark::kRestarted, ".restarted", Reason::kRestarted},
    {Mark::kTimeout, ".timeout", Reason::kTimeout},
    {Mark::kNotReady, ".not_ready", Reason::kNotReady},
    {Mark::kDependency, ".dependency", Reason::kDependency},
    {Mark::kSpawnFailed, ".spawn_failed", Reason::kSpawnFailed},
}};

const Row* row_of(Mark mark) {
  for (const Row& row : kRows) {
    if (row.mark == mark) return &row;
  }
  return nullptr;
}

}  // namespace

bool stops_app(Mark mark) {
  return mark == Mark::kCancelled || mark == Mark::kAppTimeout || mark == Mark::kFailFast ||
         mark == Mark::kTooFew;
}

std::string_view name_of(Mark mark) {
  const Row* row = row_of(mark);
  return row != nullptr ? row->name : std::string_view();
}

Mark take_mark(std::string& name) {
  for (const Row& row : kRows) {
    if (name.size() <= row.name.size()) continue;
    const std::size_t start = name.size() - row.name.size();
    if (name.compare(start, row.name.size(), row.name) != 0) continue;
    name.resize(start);
    return row.mark;
  }
  return Mark::kNone;
}

rules::Reason reason_for(Mark mark) {
  const Row* row = row_of(mark);
  return row != nullptr ? row->reason : Reason::kNone;
}

}  // namespace slipway::docker
