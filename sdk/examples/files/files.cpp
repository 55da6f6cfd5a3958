// A plug-in with the scheduler `files` and two named resources. An app is a directory. Nothing
// runs, so every app succeeds at once, and its log lists what would have run. Everything is on
// disk, because `status`, `log` and `list` run in other processes than `run`.
#include <algorithm>
#include <chrono>

#include "app_directory.hpp"
#include "slipway/ids.hpp"
#include "slipway/own_directory.hpp"
#include "slipway/plugin.hpp"
#include "slipway/role_macros.hpp"

namespace {

namespace fs = std::filesystem;
constexpr const char* kDirectory = "files";
using slipway::Call;
using slipway::Code;
using slipway::Error;

struct FilesRequest : slipway::Request {
  slipway::AppDef app;
  std::string verb;  // the value of the run option

  // Returns the log of the app: what would have run, one line for each replica.
  std::vector<LogLine> lines(const std::string& app_id) const {
    std::vector<LogLine> out;
    for (const slipway::Role& role : app.roles) {
      for (std::int32_t k = 0; k < role.num_replicas; ++k) {
        // The image is the value of ${img_root}. ${rank0_env} is empty, because nothing runs.
        const slipway::Role replica =
            slipway::apply_macros(role, {role.image, app_id, std::to_string(k), ""});
        std::string text = verb + " " + slipway::json_quote(replica.entrypoint);
        for (const std::string& arg : replica.args) text += " " + slipway::json_quote(arg);
        out.push_back({role.name, k, text});
      }
    }
    return out;
  }
  void print_text(const Sink& sink) const override {
    for (const LogLine& line : lines("${app_id}")) sink(line.text + "\n");
  }
  void print_json(const Sink& sink) const override {
    sink("{\"app\": " + slipway::json_quote(app.name) + ", \"verb\": " + slipway::json_quote(verb));
    sink(", \"roles\": " + std::to_string(app.roles.size()) + "}");
  }
};

struct FilesLog : slipway::LogIterator {
  std::vector<LogLine> undelivered;
  // Never waits, because the log of an app is complete when the app exists.
  Next next(std::int64_t /*timeout_ms*/, const Sink& sink) override {
    const std::vector<LogLine> lines = std::exchange(undelivered, {});
    for (const LogLine& line : lines)
      sink({line.role, line.replica, slipway::Stream::kCombined, {}, line.text + "\n"});
    return lines.empty() ? Next::kEnd : Next::kChunks;
  }
};

class Files : public slipway::Scheduler {
 public:
  using Scheduler::Scheduler;

  slipway::RunOpts run_opts(const slipway::Call&) override {
    return {{"verb", slipway::ValueType::kStr, "first words of each log line", /*required=*/false,
             std::string("would run")}};
  }

  // Names the fields that this scheduler acts on: the image, which is the value of ${img_root}, and
  // macros. Slipway warns users of every other field that their app sets.
  std::optional<std::vector<slipway::AppField>> app_fields(const slipway::Cfg&,
                                                           const Call&) override {
    return std::vector<slipway::AppField>{{"image", {}}, {"macros", {}}};
  }

  std::unique_ptr<slipway::Request> submit_dryrun(const slipway::AppDef& app,
                                                  const slipway::Cfg& cfg, const OnFinding&,
                                                  const Call&) override {
    auto request = std::make_unique<FilesRequest>();
    request->app = app;
    request->verb = cfg.text("verb");
    if (request->verb.find('\n') != std::string::npos)
      throw Error(Code::kInvalid, "run option verb: it contains a line end", "write one line");
    return request;
  }

  slipway::Submission schedule(const slipway::Request& request, const slipway::ScheduleOptions&,
                               const Call& call) override {
    const auto& wanted = static_cast<const FilesRequest&>(request);
    const std::string id = slipway::make_unique_id(wanted.app.name);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    if (!save(slipway::make_own_directory(host(), kDirectory, call), id,
              {wanted.app.name, args().session, ns, wanted.lines(id)}))
      throw Error(Code::kCantCreate, "cannot write to " + root(call).string(),
                  "check the permissions and the free space of that directory");
    return {id};
  }

  std::optional<slipway::Description> describe(std::string_view app_id, std::uint32_t want,
                                               const Call& call) override {
    const std::optional<StoredApp> app = load(root(call), app_id);
    if (!app) return std::nullopt;
    slipway::Description out;
    out.app_id = app_id;
    out.name = app->name;
    out.state = slipway::AppState::kSucceeded;
    out.submitted_at = out.started_at = out.finished_at = app->submitted_at;
    if ((want & SLIPWAY_WANT_REPLICAS) == 0) return out;
    for (const LogLine& line : app->log) {
      if (out.roles.empty() || out.roles.back().role != line.role)
        out.roles.push_back({line.role, {}});
      slipway::ReplicaStatus replica;
      replica.id = line.replica;
      replica.state = out.state;
      replica.exit_code = 0;
      replica.reason = "exit";
      out.roles.back().replicas.push_back(replica);
    }
    return out;
  }

  // Does nothing: every app has already ended, and an unknown app is not an error.
  void cancel(std::string_view, const slipway::CancelOptions&, const Call&) override {}

  std::vector<slipway::ListItem> list(const slipway::ListQuery&,
                                      const slipway::Call& call) override {
    std::vector<slipway::ListItem> out;
    std::error_code no_directory_yet;
    for (const auto& entry : fs::directory_iterator(root(call), no_directory_yet)) {
      const std::string id = entry.path().filename().string();
      if (const auto app = load(root(call), id))
        out.push_back(
            {id, app->name, app->session, slipway::AppState::kSucceeded, app->submitted_at});
    }
    std::sort(out.begin(), out.end(),
              [](const auto& a, const auto& b) { return a.submitted_at > b.submitted_at; });
    return out;
  }

  std::unique_ptr<slipway::LogIterator> log_open(const slipway::LogQuery& query,
                                                 const Call& call) override {
    if (query.stream != slipway::Stream::kCombined || query.since || query.until)
      throw Error(Code::kUnimplemented, "the scheduler files keeps one stream, without times");
    const std::optional<StoredApp> app = load(root(call), query.app_id);
    if (!app) throw Error(Code::kNotFound, "there is no app " + query.app_id);
    auto log = std::make_unique<FilesLog>();
    for (const LogLine& line : app->log) {
      if (query.wants(line.role, line.replica)) log->undelivered.push_back(line);
    }
    if (log->undelivered.empty())
      throw Error(Code::kNotFound, query.app_id + " has no such replica");
    return log;
  }

 private:
  fs::path root(const Call& call) const { return fs::path(host().state_dir(call)) / kDirectory; }
};

class Shelf : public slipway::NamedResources {
 public:
  using NamedResources::NamedResources;
  slipway::Dict<slipway::Resource> list(const slipway::Call&) override {
    // CPUs, GPUs, memory in MiB; no capabilities, devices and tags.
    return {{"shelf.small", {1, 0, 512, {}, {}, {}}}, {"shelf.large", {8, 1, 16384, {}, {}, {}}}};
  }
};

}  // namespace

SLIPWAY_PLUGIN("org.example.files", "1.0.0",
               SLIPWAY_PROVIDER(Files, "files", "keeps apps in files and runs nothing"),
               SLIPWAY_PROVIDER(Shelf, "shelf", "named sizes"))
