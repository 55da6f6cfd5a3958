// The record of a job that Slipway submitted: `<state>/slurm/<mark>/job.json`.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugins/slurm/script/job_plan.hpp"
#include "plugins/slurm/state/queue_job.hpp"
#include "slipway/app.hpp"
#include "slipway/status.hpp"

namespace slipway::slurm {

/// What Slipway keeps about a job that it has submitted.
struct JobRecord {
  std::string app_id;  ///< the job's id; empty until Slurm answers the submission
  std::string mark;
  std::string session;
  Shape shape = Shape::kRoles;
  std::int64_t submitted_at_ns = 0;  ///< since the epoch, just before the submission
  std::string record_dir;
  std::string log_dir;
  std::string clusters;              ///< clusters_of() the job's plan
  std::optional<uid_t> other_owner;  ///< other_owner() of the record (record_access.hpp)
  AppDef app;
};

/// Returns the path of the batch script of a record's job.
std::string script_path(const std::string& record_dir);

/// Returns whether the job is that of the record with this mark and directory, because Slurm may
/// have given its number to another job since: its comment has the mark, or no mark and the job
/// runs the record's script.
bool is_job_of(const std::string& mark, const std::string& record_dir, const QueueJob& job);

/// Writes the record of an app before its submission. Until the job's id is known, the id of the
/// app is the second part of its mark, "name-suffix". Throws Error kCantCreate.
void write_draft(const std::string& state_root, const JobRecord& record);

/// Replaces the record in one step, and gives the app the job's id. With `keeps_draft_name`, the
/// name that write_draft() gave to the app stays valid as a second id, because users may have seen
/// it. Throws Error kCantCreate.
void write_record(const std::string& state_root, const JobRecord& record, bool keeps_draft_name);

/// Removes the record of an app that was not submitted, with its directory. Does not throw.
void discard_draft(const std::string& state_root, const JobRecord& record) noexcept;

/// An app with a record. Its values come from the link of its id, without reading the record.
struct KnownApp {
  std::string app_id;  ///< the job's id, or the name that write_draft() gave
  std::string mark;
  TimeNs submitted_at;  ///< time at which the app got this id
};

/// Returns the apps with records, in no particular order. Returns an app with two ids twice.
std::vector<KnownApp> known_apps(const std::string& state_root);

/// Returns the record with the mark; nullopt if there is none, or if the system cannot open or read
/// its file. Throws Error kInvalid for a damaged record, and kDenied if other_owner()
/// (record_access.hpp) does.
std::optional<JobRecord> record_of_mark(const std::string& state_root, const std::string& mark);

/// Returns the record of the newest job with this id; nullopt if there is none. Several clusters
/// may use the same id, so for a job that Slurm knows, use record_of_mark() with the mark in its
/// comment. Throws as record_of_mark() does.
std::optional<JobRecord> record_of_id(const std::string& state_root, const std::string& app_id);

/// Returns the mark of the newest job with this id, without reading the record; empty if there is
/// none.
std::string mark_of_id(const std::string& state_root, const std::string& app_id);

/// Removes the record, and leaves a note that the user deleted the app. Without the note, commands
/// would find the job again: Slurm knows it for a while after its end, and accounting keeps it. A
/// record without the job's id leaves no note. Throws Error kCantCreate, and then removes nothing.
void forget_record(const std::string& state_root, const JobRecord& record);

/// Returns whether the user deleted the app with this id. `mark` is the mark in the job's comment,
/// which distinguishes jobs if a cluster uses an id again; empty if Slurm did not keep the comment.
bool is_forgotten(const std::string& state_root, const std::string& app_id,
                  const std::string& mark);

/// Creates or replaces a file in one step. Throws Error kCantCreate.
void write_file(const std::string& path, std::string_view text);

/// Returns the last three lines of a text file that are not empty, joined by "; ". If they are
/// longer than 600 bytes, returns "..." and the last 600 bytes. Returns an empty text if there is
/// no such file, or if it does not belong to `owner`, if given.
std::string last_lines(const std::string& path, std::optional<uid_t> owner = {});

}  // namespace slipway::slurm
