// A scheduler that has its answers ready, so that only the way to it costs time. boundary.cpp calls
// it as a plug-in, and as the C++ class below.
#include <string>

#include "slipway/plugin.hpp"

namespace {

constexpr int kReplicas = 10'000;
constexpr int kLines = 1000;  // of one call of next()

slipway::Description large_app() {
  slipway::Description out;
  out.app_id = "app-1";
  out.name = "app";
  out.state = slipway::AppState::kRunning;
  out.roles.push_back({"trainer", {}});
  for (int id = 0; id < kReplicas; ++id) {
    slipway::ReplicaStatus replica;
    replica.id = id;
    replica.state = slipway::AppState::kRunning;
    replica.pid = 1000 + id;
    replica.hostname = "node-" + std::to_string(id % 100);
    out.roles.back().replicas.push_back(replica);
  }
  return out;
}

class Lines : public slipway::LogIterator {
 public:
  Next next(std::int64_t, const Sink& sink) override {
    slipway::LogChunk chunk;
    chunk.role = "trainer";
    chunk.stream = slipway::Stream::kStdout;
    chunk.bytes = "step 17: loss 0.0289, 1284 samples a second, 41 s remain in this epoch\n";
    for (int i = 0; i < kLines; ++i) sink(chunk);
    return Next::kChunks;
  }
};

class ReadyScheduler : public slipway::Scheduler {
 public:
  using Scheduler::Scheduler;
  std::unique_ptr<slipway::Request> submit_dryrun(const slipway::AppDef&, const slipway::Cfg&,
                                                  const OnFinding&, const slipway::Call&) override {
    throw slipway::Error(slipway::Code::kUnimplemented, "it runs nothing");
  }
  slipway::Submission schedule(const slipway::Request&, const slipway::ScheduleOptions&,
                               const slipway::Call&) override {
    return {};
  }
  std::optional<slipway::Description> describe(std::string_view, std::uint32_t,
                                               const slipway::Call&) override {
    return app_;
  }
  bool exists(std::string_view app_id, const slipway::Call&) override { return !app_id.empty(); }
  void cancel(std::string_view, const slipway::CancelOptions&, const slipway::Call&) override {}
  std::vector<slipway::ListItem> list(const slipway::ListQuery&, const slipway::Call&) override {
    return {};
  }
  std::unique_ptr<slipway::LogIterator> log_open(const slipway::LogQuery&,
                                                 const slipway::Call&) override {
    return std::make_unique<Lines>();
  }

 private:
  slipway::Description app_ = large_app();
};

}  // namespace

SLIPWAY_PLUGIN("org.example.ready", "1.0.0",
               SLIPWAY_PROVIDER(ReadyScheduler, "ready", "has its answers"))
