// A scheduler with constant answers, which stores the arguments of some calls. Tests create and
// call it through its C table, as a host does.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "slipway/json_text.hpp"
#include "slipway/plugin.hpp"
#include "tests/unit/sdk/recording_host.hpp"

namespace slipway::sdk_test {

class LittleRequest : public Request {
 public:
  explicit LittleRequest(AppDef wanted) : app(std::move(wanted)) {}
  void print_text(const Sink& sink) const override {
    sink("app ");
    sink(app.name + "\n");
  }
  void print_json(const Sink& sink) const override {
    sink("{\"name\":" + json_quote(app.name) + "}");
  }
  void patch(std::string_view patch_json) override {
    if (patch_json != "{}") throw Error(Code::kInvalid, "not a request");
  }

  AppDef app;
};

class LittleEvents : public Events {
 public:
  int fd() const override {
    if (broken) throw std::runtime_error("no descriptor");
    return 42;
  }
  bool drain() override { return left-- > 0; }

  bool broken = false;
  int left = 1;
};

class LittleLogs : public LogIterator {
 public:
  Next next(std::int64_t timeout_ms, const Sink& sink) override {
    if (cancelled_) throw Error(Code::kCancelled, "cancelled");
    if (timeout_ms == 0) return Next::kTimeout;
    if (served_++ > 0) return Next::kEnd;
    sink({"role", 0, Stream::kCombined, {}, "one\n"});
    sink({"role", 1, Stream::kCombined, {}, "two\n"});
    return Next::kChunks;
  }
  void cancel() noexcept override { cancelled_ = true; }

 private:
  bool cancelled_ = false;
  int served_ = 0;
};

class LittleScheduler : public Scheduler {
 public:
  static constexpr std::uint32_t kFlags = SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT;

  LittleScheduler(Host host, CreateArgs given) : Scheduler(host, std::move(given)) {
    if (args().name == "fails")
      throw Error(Code::kPrecondition, "cannot start", "start the engine");
    ++alive;
  }
  ~LittleScheduler() override { --alive; }
  void close() noexcept override { closed_while_alive = alive; }

  RunOpts run_opts(const Call&) override {
    return {{"queue", ValueType::kStr, "which queue", true, {}},
            {"nice", ValueType::kInt, "how nice", false, std::int64_t{5}}};
  }
  std::unique_ptr<Request> submit_dryrun(const AppDef& app, const Cfg& cfg,
                                         const OnFinding& on_finding, const Call& call) override {
    call.check();
    if (app.name == "nothing") return nullptr;
    if (cfg.integer("nice") < 0)
      throw Error(Code::kInvalid, "nice is negative", "give 0 or more", "cfg");
    for (const Role& role : app.roles) {
      if (!role.mounts.empty())
        on_finding({Finding::Kind::kRefused, role.name, "mounts", "no mounts here"});
    }
    return std::make_unique<LittleRequest>(app);
  }
  Submission schedule(const Request& request, const ScheduleOptions& options,
                      const Call&) override {
    last_options = options;
    const auto& little = dynamic_cast<const LittleRequest&>(request);
    return {little.app.name + "-1"};
  }
  std::optional<Description> describe(std::string_view app_id, std::uint32_t want,
                                      const Call&) override {
    if (app_id == "throws") throw 7;
    if (app_id != "app-1") return std::nullopt;
    Description out;
    out.app_id = std::string(app_id);
    out.state = AppState::kRunning;
    if ((want & SLIPWAY_WANT_APP_DEF) != 0) out.app = AppDef("app");
    return out;
  }
  void cancel(std::string_view app_id, const CancelOptions& options, const Call&) override {
    cancelled.emplace_back(app_id);
    last_cancel = options;
  }
  std::vector<ListItem> list(const ListQuery&, const Call&) override {
    return {{"app-1", "app", "s", AppState::kRunning, {}},
            {"app-2", "app", "s", AppState::kFailed, {}}};
  }
  std::unique_ptr<Events> events_open(std::string_view app_id, EventScope, const Call&) override {
    if (app_id == "none") return nullptr;
    auto events = std::make_unique<LittleEvents>();
    events->broken = app_id == "broken";
    return events;
  }
  std::unique_ptr<LogIterator> log_open(const LogQuery& query, const Call&) override {
    if (query.app_id == "nothing") return nullptr;
    if (query.app_id != "app-1") throw Error(Code::kNotFound, "no app " + query.app_id);
    return std::make_unique<LittleLogs>();
  }
  const void* extension(std::string_view id) override { return id == "little/1" ? this : nullptr; }

  static inline int alive = 0;
  static inline int closed_while_alive = 0;  ///< value of `alive` at the last close
  ScheduleOptions last_options;
  CancelOptions last_cancel;
  std::vector<std::string> cancelled;
};

}  // namespace slipway::sdk_test
