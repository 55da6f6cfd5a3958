// The command slipway-plugin-check: reads the command line, runs the checks and prints the results.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "sdk/check/run/check_run.hpp"
#include "sdk/check/run/descendants.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::check {

namespace {

// Exit statuses; 64, 73 and 75 are those of sysexits.h. The number of the signal is added to
// kSignalled.
constexpr int kNothingWrong = 0, kSomethingWrong = 1, kWrongUse = 64, kCannotWrite = 73,
              kLacksResources = 75, kSignalled = 128;

int write_error = 0;  // of the first failed write to standard output, as in errno; 0 if none failed

// Flushes each text, so that the output shows how far the checks came even if the kit is killed.
void write_output(const std::string& text) {
  const bool is_written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  if (!is_written && write_error == 0) write_error = errno;
}

void print(const std::string& text) { write_output(visible_text(text)); }

void complain(const std::string& what) {
  std::fprintf(stderr, "slipway-plugin-check: error: %s\n", visible_text(what).c_str());
}

std::string listed(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

// Throws UsageError if no plug-in has the provider of --provider. Accepts every name if a library
// cannot be loaded, because its checks report that.
void verify_provider(const Options& options, const std::vector<Report>& reports,
                     const StopSignals* stop) {
  if (options.provider.empty()) return;
  std::set<std::string> provided;
  for (const Report& report : reports) {
    const auto names = CheckRun(options, report.subject, stop, {}).provider_names();
    if (!names || names->count(options.provider) != 0) return;
    provided.insert(names->begin(), names->end());
  }
  throw UsageError(
      "--provider " + options.provider + ": no plug-in to check has this provider; " +
      (provided.empty() ? "there are no providers" : "the providers are " + listed(provided)));
}

// Throws UsageError if no scheduler declares an option of --cfg. Accepts all options if a scheduler
// cannot list its own, because its checks report that.
void verify_run_options(const Options& options, const std::vector<Report>& reports,
                        const StopSignals* stop) {
  if (options.run_options.empty()) return;
  std::set<std::string> declared;
  for (const Report& report : reports) {
    const auto names = CheckRun(options, report.subject, stop, {}).declared_options();
    if (!names) return;
    declared.insert(names->begin(), names->end());
  }
  const std::string known = listed(declared);
  for (const auto& [name, value] : options.run_options) {
    if (declared.count(name) != 0) continue;
    throw UsageError("--cfg " + name + "=" + value +
                     ": no scheduler to check has this run option; " +
                     (known.empty() ? "there are no run options" : "the options are " + known));
  }
}

void check_subject(const Options& options, const StopSignals* stop, Report& report) {
  CheckRun run(options, report.subject, stop, [&](const Result& result) {
    if (!options.json && report.results.empty()) print(report.subject.library + "\n");
    if (!options.json) print(text_of(result));
    report.results.push_back(result);
  });
  run.all();
  if (!options.json && !report.results.empty()) print(text_sums(report.results));
}

// Adds a report for each plug-in to `reports`. Returns the exit status. After a signal, the reports
// have the results of the checks before it.
int check_all(const Options& options, std::vector<Report>& reports) {
  std::optional<StopSignals> stop;
  if (options.fork) {
    stop.emplace();
    adopt_descendants();
  }
  try {
    for (Subject& subject : find_subjects(options.target))
      reports.push_back({std::move(subject), {}});
    verify_provider(options, reports, stop ? &*stop : nullptr);
    verify_run_options(options, reports, stop ? &*stop : nullptr);
    for (Report& report : reports) check_subject(options, stop ? &*stop : nullptr, report);
    // A signal after the last check must not end the kit before it has printed the report.
    if (const int signal = stop ? stop->take() : 0; signal != 0) throw Interrupted{signal};
  } catch (const Interrupted& interrupted) {
    complain(std::string("ended by a signal (") + ::strsignal(interrupted.signal) +
             "); what the plug-in started was ended");
    return kSignalled + interrupted.signal;
  }
  for (const Report& report : reports)
    if (count(report.results, Verdict::kFailed) > 0) return kSomethingWrong;
  return kNothingWrong;
}

int check_or_list(const Options& options) {
  if (options.list) {
    write_output(options.json ? json_list() : text_list());
    return kNothingWrong;
  }
  std::vector<Report> reports;
  const int status = check_all(options, reports);
  const bool are_several = reports.size() > 1;
  // After a signal, a plug-in without results stays in the report: its checks did not run.
  if (status < kSignalled)
    std::erase_if(reports, [](const Report& report) { return report.results.empty(); });
  if (reports.empty()) {
    complain("no selected check applies to this plug-in; --list prints all checks");
    return kWrongUse;
  }
  if (options.json) write_output(visible_json(json_report(reports, are_several)));
  return status;
}

int run_command(int argc, char** argv) {
  const auto failed = [](const std::exception& error, int status) {
    complain(error.what());
    return status;
  };
  try {
    const std::optional<Options> options = read_command_line(argc, argv);
    return options ? check_or_list(*options) : kNothingWrong;
  } catch (const NoResources& error) {
    return failed(error, kLacksResources);
  } catch (const std::system_error& error) {
    return failed(error, kLacksResources);
  } catch (const std::exception& error) {  // UsageError and UnusableTarget
    return failed(error, kWrongUse);
  }
}

// Returns the exit status.
int run(int argc, char** argv) {
  const int status = run_command(argc, argv);
  write_output("");  // flushes the output of --help and --version
  if (write_error == 0 || status >= kSignalled) return status;
  complain(std::string("cannot write to standard output: ") + std::strerror(write_error));
  return kCannotWrite;
}

}  // namespace

}  // namespace slipway::check

int main(int argc, char** argv) { return slipway::check::run(argc, argv); }
