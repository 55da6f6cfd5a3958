#include "core/config/load.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "core/config/config_text.hpp"
#include "core/config/path_options.hpp"
#include "core/config/torchx_config.hpp"
#include "sdk/support/missing_path.hpp"

namespace slipway::config {

namespace {

void append(std::vector<Setting>& to, std::vector<Setting> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

class Reader {
 public:
  Reader(const TrustCheck& check_trust, std::vector<spec::Problem>& problems)
      : check_trust_(check_trust), problems_(problems) {}

  std::vector<Setting> settings;
  std::vector<std::string> profiles;
  SiteRules site;

  void read(Source& source) {
    try {
      const std::optional<std::string> text =
          read_config_text(source.path, [&](const struct stat& st) {
            if (check_trust_) check_trust_(source, st, site);
          });
      if (text) return parse(source, *text);
      source.state = SourceState::kMissing;
      missing(source);
    } catch (const Error& error) {
      const bool is_optional = source.asked_by.empty() && source.layer != Layer::kSite;
      // After a temporary failure, the command must not run without the settings of the file.
      if (error.code() != Code::kTemporary && is_optional) {
        source.state = SourceState::kIgnored;
        source.why = error.message();
        problems_.push_back({spec::Severity::kWarning,
                             {source.path},
                             {},
                             "this configuration is ignored: " + error.message(),
                             error.hint(),
                             error.code()});
      } else {
        source.state = SourceState::kBroken;
        source.why = error.message();
        fail(source, error.code(), error.message(), error.hint());
      }
    }
  }

 private:
  /// Throws Error kConfig if a broken link hides a file: its settings would silently not apply.
  /// Reports a named file that is missing.
  void missing(Source& source) {
    const std::optional<PathObstacle> obstacle = obstacle_of(source.path);
    if (!source.asked_by.empty()) {
      source.why = "no such file, but " + source.asked_by + " names it";
      if (obstacle) source.why += ": " + to_string(*obstacle);
      fail(source, Code::kNotFound, source.why, {});
    } else if (obstacle && (!obstacle->target.empty() || source.layer == Layer::kSite)) {
      // A file in place of a user's directory is common: HOME=/dev/null.
      throw Error(Code::kConfig, to_string(*obstacle), obstacle_hint(*obstacle));
    }
  }

  void parse(Source& source, const std::string& text) {
    const std::size_t first_problem = problems_.size();
    if (source.layer == Layer::kTorchx) {
      try {
        append(settings, torchx_settings(parse_ini(text, source.path), source.path));
      } catch (const spec::InvalidApp& error) {
        problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
      }
    } else {
      FileContent content = read_config(text, source.path, source.layer, problems_);
      append(settings, std::move(content.settings));
      if (source.layer == Layer::kSite) site = std::move(content.site);
      profiles.insert(profiles.end(), content.profiles.begin(), content.profiles.end());
    }
    source.state = SourceState::kRead;
    if (problems_.size() == first_problem) return;
    source.state = SourceState::kBroken;
    source.why = spec::to_string(problems_[first_problem]);
  }

  void fail(const Source& source, Code code, std::string message, std::string hint) {
    problems_.push_back(
        {spec::Severity::kError, {source.path}, {}, std::move(message), std::move(hint), code});
  }

  const TrustCheck& check_trust_;
  std::vector<spec::Problem>& problems_;
};

/// Returns the settings of the SLIPWAY_* variables that are not empty.
std::vector<Setting> variable_settings(const Variables& variable) {
  const std::pair<const char*, SettingKey> table[] = {
      {"SLIPWAY_SCHEDULER", kSchedulerOfRun},
      {"SLIPWAY_SESSION", {Section::kCli, {}, "session"}},
      {"SLIPWAY_PROFILE", {Section::kCli, {}, "profile"}},
      {"SLIPWAY_LOG_LEVEL", {Section::kCli, {}, "log-level"}},
      {"SLIPWAY_CFG", {Section::kRunOptions, {}, {}}},
  };
  std::vector<Setting> out;
  for (const auto& [name, key] : table) {
    const char* value = variable(name);
    if (value == nullptr || *value == '\0') continue;
    Setting setting;
    setting.key = key;
    setting.value.type = spec::NodeType::kString;
    setting.value.text = value;
    setting.notation = Notation::kText;
    setting.layer = Layer::kVariable;
    setting.where.file = name;
    out.push_back(std::move(setting));
  }
  return out;
}

bool is_project(const Source& source) { return source.layer == Layer::kProject; }

/// Reads the project files, nearest first, up to the first that is neither ignored nor missing.
/// Removes from `sources` those in the directories above it. An ignored file hides no other,
/// because its owner could otherwise disable the project's file.
void read_project(Reader& reader, std::vector<Source>& sources) {
  const auto first = std::find_if(sources.begin(), sources.end(), is_project);
  const auto end = std::find_if_not(first, sources.end(), is_project);
  for (auto each = first; each != end; ++each) {
    reader.read(*each);
    if (each->state == SourceState::kIgnored || each->state == SourceState::kMissing) continue;
    sources.erase(std::next(each), end);
    return;
  }
}

}  // namespace

Loaded load(const Places& places, std::vector<Setting> flags, const TrustCheck& check_trust) {
  Loaded out;
  out.sources = sources(places);
  Reader reader(check_trust, out.problems);
  // Starts with the site's file, which lists the trusted owners of the others. Within a layer, a
  // file that is read later overrides earlier ones.
  for (std::size_t left = out.sources.size(); left > 0; --left) {
    Source& source = out.sources[left - 1];
    if (!is_project(source)) {
      reader.read(source);
    } else if (left == 1 || !is_project(out.sources[left - 2])) {
      // This is the nearest project file, the first of them in the list.
      read_project(reader, out.sources);
    }
  }
  // Only paths in files: the user's shell expands those on the command line and in variables.
  for (Setting& setting : reader.settings) expand_paths(setting, places.variable);
  if (!places.elevated) append(reader.settings, variable_settings(places.variable));
  append(reader.settings, std::move(flags));
  out.settings =
      Settings(std::move(reader.settings), reader.profiles, reader.site.limits, out.problems);
  out.site = std::move(reader.site);
  out.profiles = std::move(reader.profiles);
  std::sort(out.profiles.begin(), out.profiles.end());
  out.profiles.erase(std::unique(out.profiles.begin(), out.profiles.end()), out.profiles.end());
  return out;
}

void Loaded::throw_if_errors() const {
  const auto is_error = [](const spec::Problem& problem) {
    return problem.severity == spec::Severity::kError;
  };
  const auto first = std::find_if(problems.begin(), problems.end(), is_error);
  if (first == problems.end()) return;
  std::vector<spec::Problem> all = problems;
  const bool is_one_code =
      std::all_of(problems.begin(), problems.end(), [&](const spec::Problem& problem) {
        return !is_error(problem) || problem.code == first->code;
      });
  if (!is_one_code) {
    for (spec::Problem& problem : all) problem.code = Code::kConfig;
  }
  // Sorts by file, in the order of the files' first problems, then by place.
  std::vector<std::string> files;
  for (const spec::Problem& problem : all) files.push_back(problem.where.file);
  const auto file_index = [&](const spec::Problem& problem) {
    return std::find(files.begin(), files.end(), problem.where.file) - files.begin();
  };
  std::stable_sort(all.begin(), all.end(), [&](const spec::Problem& a, const spec::Problem& b) {
    return std::make_tuple(file_index(a), a.where.line, a.where.column) <
           std::make_tuple(file_index(b), b.where.line, b.where.column);
  });
  throw spec::InvalidApp(std::move(all));
}

}  // namespace slipway::config
