// The list of deleted apps, `<session>/.pruned`: why the record of an app is gone. At 1 MiB a new
// list starts, and the one before becomes `.pruned.old`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plugins/local/engine/app_ref.hpp"

namespace slipway::local {

/// Records that the app, which ended at `finished_ns` (0: not known), was deleted now. `rule` is
/// the run option that pruned it, such as "keep_days=30"; empty: a command deleted it on request.
/// Does nothing if the list cannot be written: the app is gone all the same.
void note_deleted(const AppRef& app, std::int64_t finished_ns, std::string_view rule);

/// The cause of a deletion.
struct Deletion {
  std::string text;      ///< the sentence that says when and why the app was deleted
  bool by_rule = false;  ///< a run option pruned the app; false: a command deleted it on request
};

/// Returns when and why the app was deleted; nullopt if neither list has the app, or if the
/// session's directory is not the caller's.
std::optional<Deletion> why_deleted(const AppRef& app);

}  // namespace slipway::local
