// Runs the selected checks of one plug-in, in order.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sdk/check/run/child.hpp"
#include "sdk/check/run/report.hpp"

namespace slipway::check {

/// An empty directory; the destructor removes it with everything in it.
class ScratchDirectory {
 public:
  /// Throws std::system_error.
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The checks of one plug-in, with the selection of the command line.
class CheckRun {
 public:
  /// Borrows `options`, `subject` and `stop`, which is null if the checks run in this process.
  /// `on_result` gets each result as soon as its check has ended. Throws std::system_error if the
  /// machine lacks space or memory.
  CheckRun(const Options& options, const Subject& subject, const StopSignals* stop,
           std::function<void(const Result&)> on_result);

  /// Runs the selected checks. Throws Interrupted after a signal, and NoResources if the machine
  /// lacks processes or descriptors.
  void all();

  /// Returns the names of the library's providers, or nullopt if it cannot be loaded, which its
  /// checks explain. Throws as all() does.
  std::optional<std::set<std::string>> provider_names();

  /// Returns the names of the run options that the selected schedulers declare. Returns nullopt if
  /// one of them cannot list its options, which its checks explain. Throws as all() does.
  std::optional<std::set<std::string>> declared_options();

 private:
  // A provider, or, with both texts empty, the library.
  struct Provided {
    std::string kind;
    std::string name;
    // clang-tidy 14 reports the code that the compiler makes. NOLINTNEXTLINE(modernize-use-nullptr)
    auto operator<=>(const Provided&) const = default;
  };

  std::optional<std::vector<Provided>> providers_of_library();
  bool is_selected(const Provided& provider) const;
  void run_and_report(const Check& check, const Provided& provider);
  /// Skips the check if its needs are not met or it depends on a check that failed. Otherwise runs
  /// it.
  Outcome outcome_of(const Check& check, const Provided& provider);
  /// If the check `earlier` failed, returns its name; if it was skipped because it depends on a
  /// failed check, returns the name of that check; otherwise returns nullopt. Counts failures for
  /// this provider and for the library; if `provider` is the library, those for every provider.
  std::optional<std::string_view> cause_of_failure(std::string_view earlier,
                                                   const Provided& provider) const;
  Outcome run(const Check& check, const Provided& provider);

  const Options& options_;
  const Subject& subject_;
  const StopSignals* stop_;
  std::function<void(const Result&)> on_result_;
  ScratchDirectory scratch_;
  ProgressPage progress_;
  // The providers of a kind that hosts of this version do not know. The first check of each is
  // reported as skipped, with the reason; the others would repeat it.
  std::set<Provided> ignored_;
  // By check and provider, each check that failed or depends on a failed check. The value is the
  // name of the check that failed.
  std::map<std::pair<std::string_view, Provided>, std::string_view> failures_;
};

}  // namespace slipway::check
