// The apps that a command is about: handles, and selectors such as `--name 'one-*' --state
// RUNNING`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/cli/apps/log_identifier.hpp"
#include "core/cli/invocation/invocation.hpp"
#include "slipway/app_handle.hpp"
#include "slipway/error.hpp"

namespace slipway::cli {

/// What the command line says about the apps. An app is selected if each given selector selects it.
struct AppSelectors {
  std::vector<std::string> handles;
  std::string scheduler;            ///< empty: all
  std::vector<std::string> names;   ///< patterns of fnmatch(3); one of them must match
  std::vector<std::string> labels;  ///< KEY=VALUE, or KEY for any value; all must match
  std::string state;                ///< the name of a state, or empty
  std::string since;                ///< a time as for `log --since`, or empty
  std::string before;               ///< likewise
  /// `--all`: selects every app that neither the other selectors nor SelectedApps exclude.
  bool all = false;

  /// Returns whether a selector is given; a scheduler alone counts. `--session` is not here: see
  /// AppFilter.
  bool any() const;
};

/// An app of a scheduler's list.
struct ListedApp {
  AppHandle handle;
  ListItem item;
};

/// A scheduler that could not be queried, so that selected apps may be missing. `error` names it.
struct FailedQuery {
  std::string scheduler;
  Error error;
};

/// Prints the failures. Returns the exit status of the first one, or kExitOk if there are none. If
/// not `continues`, throws the first failure instead of printing it.
int report_failures(const std::vector<FailedQuery>& failures, bool continues);

/// The apps that a command is about.
struct ChosenApps {
  std::vector<AppHandle> apps;        ///< those of the handles, then the selected ones, each once
  std::size_t named = 0;              ///< the number of those of the handles
  std::vector<FailedQuery> failures;  ///< of the selection
};

/// Decides whether an app is selected, also by `--session` on the command line.
class AppFilter {
 public:
  /// Throws Error kUsage for a selector that is malformed.
  AppFilter(Invocation& invocation, const AppSelectors& selectors);

  bool selects(const ListedApp& app) const;
  const std::optional<AppState>& state() const { return state_; }
  /// Returns the time of `--since`; nullopt without it.
  TimeNs since() const { return since_; }
  /// Returns whether `--session` selects apps.
  bool has_session() const { return session_.has_value(); }

 private:
  bool fits_labels(const AppHandle& handle) const;

  Invocation& invocation_;
  AppSelectors selectors_;
  std::optional<std::string> session_;
  std::optional<AppState> state_;
  TimeNs since_;
  TimeNs before_;
};

/// Which apps a command selects when no state is given, also with `--all`.
enum class SelectedApps { kActive, kFinished, kAny };

/// Returns the selected apps; ignores the handles. If `selectors` name a scheduler, throws its
/// failure. Otherwise queries all schedulers, and adds those that failed to `failures`, unless
/// their engine is not installed on this machine. Throws as AppFilter, and Error kUnavailable if
/// there is no scheduler.
std::vector<ListedApp> select_apps(Invocation& invocation, const AppSelectors& selectors,
                                   SelectedApps which, std::vector<FailedQuery>& failures);

/// Returns the apps of the handles and the selected ones. With selectors, prints which apps they
/// selected. Without handles, `--session` on the command line alone also selects. Throws Error
/// kUsage if the command line has neither a handle nor a selector, and as find_app() and
/// select_apps().
ChosenApps chosen_apps(Invocation& invocation, const AppSelectors& selectors, SelectedApps which);

/// Returns the replicas that the handles name, as find_replicas() reads them, and then all replicas
/// of each selected app. The handles may name an app several times. Adds to `failures` as
/// select_apps() does. Prints and throws as chosen_apps().
std::vector<ReplicaSelection> chosen_replicas(Invocation& invocation, const AppSelectors& selectors,
                                              SelectedApps which,
                                              std::vector<FailedQuery>& failures);

/// Splits the KEY=VALUE of `run --label`. Throws Error kUsage for other texts, and for a key that
/// is reserved for Slipway.
std::pair<std::string, std::string> parse_label(const std::string& text);

/// Returns the labels of an app from its run record or, for an app of this machine that has none,
/// from the app's definition. Metadata that is reserved for Slipway is not a label. Returns no
/// labels if neither can be found. Throws Error if the run record cannot be read, or if there is
/// none and the scheduler cannot be loaded.
StrDict labels_of(Invocation& invocation, const AppHandle& handle);

}  // namespace slipway::cli
