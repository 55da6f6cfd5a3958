// The command slipway-plugin-check: reads the command line, runs the checks and prints the results.

#include <stdlib.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "sdk/check/host/loaded.hpp"
#include "sdk/check/run/child.hpp"
#include "sdk/check/run/report.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::check {

namespace {

constexpr int kNothingWrong = 0, kSomethingWrong = 1, kWrongUse = 64;

// A directory for the checks; the destructor removes it.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "slipway-check-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), "cannot make " + pattern);
    path_ = pattern;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Provided {
  std::string kind;
  std::string name;
};

bool is_wanted(const Options& options, std::string_view name) {
  if (options.only.empty()) return true;
  for (const std::string& wanted : options.only)
    if (name == wanted || name.substr(0, name.find('.')) == wanted) return true;
  return false;
}

class Run {
 public:
  Run(const Options& options, const Subject& subject) : options_(options), subject_(subject) {}

  std::vector<Result> all() {
    const std::optional<std::vector<Provided>> providers = providers_of_library();
    for (const Check& check : catalogue()) {
      if (!is_wanted(options_, check.name)) continue;
      const std::string kind = check.kind;
      if (kind.empty()) {
        one(check, {});
        continue;
      }
      for (const Provided& provider : providers.value_or(std::vector<Provided>{})) {
        if (!options_.provider.empty() && provider.name != options_.provider) continue;
        if (kind == "*" || kind == provider.kind) one(check, provider);
      }
    }
    return results_;
  }

 private:
  Trial trial_for(const Provided& provider) {
    return {subject_,      options_,      progress_,
            provider.kind, provider.name, scratch_.path() + "/check"};
  }

  void one(const Check& check, const Provided& provider) {
    Outcome outcome{Verdict::kSkipped, {}, {}};
    if (check.needs == Needs::kApp && !options_.app) {
      outcome.seen = "nothing is submitted without --app FILE";
    } else if (check.needs == Needs::kManifest && !subject_.manifest) {
      outcome.seen = "give the manifest in place of the library";
    } else {
      outcome = run_in_child(check, trial_for(provider));
    }
    results_.push_back({&check, provider.name, outcome});
  }

  // Returns the providers of the library, or nullopt if it cannot be loaded, which the checks of
  // the library report. Also uses a child process, because no code of the plug-in runs in this one.
  std::optional<std::vector<Provided>> providers_of_library() {
    const std::string file = scratch_.path() + "/providers";
    const Check reader{"", "", Needs::kNothing, "", "", [&](const Trial& trial) {
                         const slipway_plugin& plugin = load_checked(trial);
                         std::FILE* out = std::fopen(file.c_str(), "we");
                         if (out == nullptr) throw Inconclusive("no file");
                         for (std::size_t i = 0; i < plugin.providers.count; ++i) {
                           const auto* p = SLIPWAY_AT(plugin.providers, slipway_provider, i);
                           std::fprintf(out, "%s\n%s\n", abi::str(p->kind).c_str(),
                                        abi::str(p->name).c_str());
                         }
                         std::fclose(out);
                       }};
    if (run_in_child(reader, trial_for({})).verdict != Verdict::kPassed) return std::nullopt;
    std::vector<Provided> out;
    std::FILE* in = std::fopen(file.c_str(), "re");
    char kind[512], name[512];
    while (in != nullptr && std::fgets(kind, sizeof kind, in) != nullptr &&
           std::fgets(name, sizeof name, in) != nullptr) {
      const auto line = [](const char* text) {
        std::string whole = text;
        if (!whole.empty() && whole.back() == '\n') whole.pop_back();
        return whole;
      };
      out.push_back({line(kind), line(name)});
    }
    if (in != nullptr) std::fclose(in);
    return out;
  }

  const Options& options_;
  const Subject& subject_;
  ScratchDirectory scratch_;
  ProgressPage progress_;
  std::vector<Result> results_;
};

int complain(const std::string& what) {
  std::fprintf(stderr, "slipway-plugin-check: error: %s\n", visible_text(what).c_str());
  return kWrongUse;
}

int check_or_list(const Options& options) {
  if (options.list) {
    std::fputs((options.json ? json_list() : text_list()).c_str(), stdout);
    return kNothingWrong;
  }
  std::vector<Report> reports;
  int failed = 0;
  for (Subject& subject : find_subjects(options.target)) {
    std::vector<Result> results = Run(options, subject).all();
    failed += count(results, Verdict::kFailed);
    if (!results.empty()) reports.push_back({std::move(subject), std::move(results)});
  }
  if (reports.empty())
    return complain("no selected check applies to this plug-in; --list prints all checks");
  std::string out;
  if (options.json) {
    out = visible_json(json_report(reports));
  } else {
    for (const Report& report : reports) out += visible_text(text_report(report));
  }
  std::fputs(out.c_str(), stdout);
  return failed == 0 ? kNothingWrong : kSomethingWrong;
}

int run(int argc, char** argv) {
  try {
    const std::optional<Options> options = read_command_line(argc, argv);
    return options ? check_or_list(*options) : kNothingWrong;
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}

}  // namespace

}  // namespace slipway::check

int main(int argc, char** argv) { return slipway::check::run(argc, argv); }
