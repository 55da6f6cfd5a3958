// A scheduler that notes apps and runs nothing: each app succeeds at once, and its log has a line
// for each replica.
#pragma once

#include "record.hpp"
#include "slipway/ids.hpp"
#include "slipway/scheduler.hpp"

namespace kept {

using slipway::Call;
using slipway::Code;
using slipway::Error;

struct KeptRequest : slipway::Request {
  Record app;

  void print_text(const Sink& sink) const override {
    for (const auto& [role, count] : app.roles) sink(role + ' ' + std::to_string(count) + '\n');
  }
  void print_json(const Sink& sink) const override {
    sink("{\"roles\": " + std::to_string(app.roles.size()) + "}");
  }
};

struct KeptLog : slipway::LogIterator {
  Record app;
  std::vector<slipway::LogChunk> left;  // views of `app`

  Next next(std::int64_t /*timeout_ms*/, const Sink& sink) override {
    const std::vector<slipway::LogChunk> now = std::exchange(left, {});
    for (const slipway::LogChunk& chunk : now) sink(chunk);
    return now.empty() ? Next::kEnd : Next::kChunks;
  }
};

class Scheduler : public slipway::Scheduler {
 public:
  using slipway::Scheduler::Scheduler;

  slipway::RunOpts run_opts(const Call& /*call*/) override {
    return {{"verb", slipway::ValueType::kStr, "the first word of a printed request", false,
             std::string("keeps")}};
  }

  std::optional<std::vector<slipway::AppField>> app_fields(const slipway::Cfg& /*cfg*/,
                                                           const Call& /*call*/) override {
    return {{{"image", ""}}};
  }

  std::unique_ptr<slipway::Request> submit_dryrun(const slipway::AppDef& app,
                                                  const slipway::Cfg& /*cfg*/,
                                                  const OnFinding& on_finding,
                                                  const Call& /*call*/) override {
    auto request = std::make_unique<KeptRequest>();
    request->app.name = app.name;
    request->app.session = args().session;
    for (const slipway::Role& role : app.roles) {
      request->app.roles.emplace_back(role.name, role.num_replicas);
      if (!role.mounts.empty())
        on_finding({slipway::Finding::Kind::kIgnored, role.name, "mounts", "nothing runs here"});
    }
    return request;
  }

  slipway::Submission schedule(const slipway::Request& request,
                               const slipway::ScheduleOptions& /*options*/,
                               const Call& call) override {
    Record app = static_cast<const KeptRequest&>(request).app;
    app.submitted_at_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                              std::chrono::system_clock::now().time_since_epoch())
                              .count();
    const std::string id = slipway::make_unique_id(app.name);
    if (!save(directory(call), id, app))
      throw Error(Code::kCantCreate, "cannot write to " + directory(call),
                  "check the permissions of that directory");
    return {id};
  }

  std::optional<slipway::Description> describe(std::string_view app_id, std::uint32_t want,
                                               const Call& call) override {
    const std::optional<Record> app = load(directory(call), app_id);
    if (!app) return std::nullopt;
    slipway::Description out;
    out.app_id = app_id;
    out.name = app->name;
    out.state = slipway::AppState::kSucceeded;
    out.submitted_at = out.started_at = out.finished_at = app->submitted_at_ns;
    if ((want & SLIPWAY_WANT_REPLICAS) == 0) return out;
    for (const auto& [role, count] : app->roles) {
      out.roles.push_back({role, {}});
      for (std::int32_t k = 0; k < count; ++k) {
        slipway::ReplicaStatus replica;
        replica.id = k;
        replica.state = out.state;
        replica.exit_code = 0;
        replica.reason = "exit";
        out.roles.back().replicas.push_back(replica);
      }
    }
    return out;
  }

  // Does nothing: each app has ended.
  void cancel(std::string_view /*app_id*/, const slipway::CancelOptions& /*options*/,
              const Call& /*call*/) override {}

  void delete_app(std::string_view app_id, const Call& call) override {
    remove(directory(call), app_id);
  }

  std::vector<slipway::ListItem> list(const slipway::ListQuery& /*query*/,
                                      const Call& call) override {
    std::vector<slipway::ListItem> out;
    for (const std::string& id : apps_in(directory(call))) {
      if (const std::optional<Record> app = load(directory(call), id))
        out.push_back(
            {id, app->name, app->session, slipway::AppState::kSucceeded, app->submitted_at_ns});
    }
    std::sort(out.begin(), out.end(),
              [](const auto& a, const auto& b) { return a.submitted_at > b.submitted_at; });
    return out;
  }

  std::unique_ptr<slipway::LogIterator> log_open(const slipway::LogQuery& query,
                                                 const Call& call) override {
    if (query.stream != slipway::Stream::kCombined || query.since || query.until)
      throw Error(Code::kUnimplemented, "there is one stream, without times");
    std::optional<Record> app = load(directory(call), query.app_id);
    if (!app) throw Error(Code::kNotFound, "there is no app " + query.app_id);
    auto log = std::make_unique<KeptLog>();
    log->app = *std::move(app);
    for (const auto& [role, count] : log->app.roles) {
      for (std::int32_t k = 0; k < count; ++k) {
        if (query.wants(role, k))
          log->left.push_back({role, k, slipway::Stream::kCombined, {}, "was kept\n"});
      }
    }
    if (log->left.empty()) throw Error(Code::kNotFound, query.app_id + " has no such replica");
    return log;
  }

 private:
  std::string directory(const Call& call) const { return host().state_dir(call) + "/kept-cpp"; }
};

}  // namespace kept
