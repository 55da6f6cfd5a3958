// Describes how an app was started: run options, workspace, plug-ins, machine and command line.
// Slipway keeps this run record outside the scheduler's own record of the app.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipway/options.hpp"

namespace slipway {

/// The value of a run option.
struct RecordedOption {
  std::string name;
  Value value;
  std::string origin;  ///< "default", "given", or the caller's word for the origin
};

/// A plug-in that the run used.
struct RecordedPlugin {
  std::string id;
  std::string version;
  std::string sha256;  ///< of the library; empty if the file was missing
};

/// The copy of a workspace that the app runs in.
struct RecordedWorkspace {
  std::string provider;
  std::string source;
  std::string image;
  std::string option;    ///< the run option that also names the copy, or empty
  StrList other_images;  ///< images of further copies, if roles have different images
};

struct RunRecord {
  // Runner::dryrun() sets these.
  std::vector<RecordedOption> options;  ///< all that the scheduler declares, and other given ones
  std::optional<RecordedWorkspace> workspace;
  StrDict labels;  ///< the metadata of the app

  // Runner::schedule() sets these.
  std::string slipway_version;
  std::vector<RecordedPlugin> plugins;
  std::string host;       ///< the machine's name
  std::string directory;  ///< the working directory
  StrList environment;    ///< the names of the process's variables, sorted

  // The caller sets these. Slipway's command line hides values that look like secrets.
  StrList command_line;
  std::string git_revision;       ///< of the working directory or workspace; empty if unknown
  std::optional<bool> git_dirty;  ///< whether tracked files differed from it, if known
};

}  // namespace slipway
