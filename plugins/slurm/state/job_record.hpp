// What Slipway keeps of a job that it has submitted: `<state>/slurm/<mark>/job.json`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugins/slurm/script/job_plan.hpp"
#include "slipway/app.hpp"
#include "slipway/status.hpp"

namespace slipway::slurm {

struct JobRecord {
  std::string app_id;  ///< the job's id; empty while it is not known whether Slurm has the job
  std::string mark;
  std::string session;
  Shape shape = Shape::kRoles;
  std::int64_t submitted_at_ns = 0;
  std::string record_dir;
  std::string log_dir;
  AppDef app;
};

/// Writes the record of an app that is about to be submitted, and makes the app known under the
/// second part of its mark, "name-suffix", until the job's id is known. Throws Error kCantCreate.
void write_draft(const std::string& state_root, const JobRecord& record);

/// Writes the record at once or not at all, and makes the app known under the job's id.
/// `keeps_draft_name`: also still under the name that write_draft() gave it. Throws Error
/// kCantCreate.
void write_record(const std::string& state_root, const JobRecord& record, bool keeps_draft_name);

/// Removes the record of an app that was not submitted, with its directory. Does not throw.
void discard_draft(const std::string& state_root, const JobRecord& record) noexcept;

/// An app that has a record, without a look into the record.
struct KnownApp {
  std::string app_id;  ///< the job's id, or the name that write_draft() gave
  std::string mark;
  TimeNs submitted_at;  ///< when the app got its id
};

/// The apps that have records, in no order. An app that goes by two names is here with both.
std::vector<KnownApp> known_apps(const std::string& state_root);

/// The record of a mark, as a job's comment has it; nothing where there is none. Throws Error
/// kInvalid for a damaged one.
std::optional<JobRecord> record_of_mark(const std::string& state_root, const std::string& mark);

/// The record of the newest job of this id. Clusters count by themselves: where Slurm knows the
/// job, its comment decides.
std::optional<JobRecord> record_of_id(const std::string& state_root, const std::string& app_id);

/// The mark of the newest job of this id, without a look into its record; empty: there is none.
std::string mark_of_id(const std::string& state_root, const std::string& app_id);

/// Removes the record, and remembers that this was wanted: Slurm itself knows a job for a while
/// after its end, and accounting for ever. Throws Error kCantCreate, with nothing removed.
void forget_record(const std::string& state_root, const JobRecord& record);

/// Whether the job of this id was forgotten; `mark` is the one of its comment, as far as Slurm
/// keeps comments (else empty), because a cluster may give an id again.
bool is_forgotten(const std::string& state_root, const std::string& app_id,
                  const std::string& mark);

/// Writes a file that is there complete or not at all. Throws Error kCantCreate.
void write_file(const std::string& path, std::string_view text);

/// The last three lines of a text file that are not empty, joined by "; ", of at most 600 bytes;
/// empty: there is no file.
std::string last_lines(const std::string& path);

/// The contents, or nothing when it cannot be read.
std::optional<std::string> read_file(const std::string& path);

}  // namespace slipway::slurm
