// A scheduler that uses the host's services: image providers of other plug-ins, the state
// directory, the log.
#include <filesystem>

#include "slipway/hosted_image_provider.hpp"
#include "slipway/json_text.hpp"
#include "slipway/plugin.hpp"

namespace {

class AskingRequest : public slipway::Request {
 public:
  std::string text;
  void print_text(const Sink& sink) const override { sink(text); }
  void print_json(const Sink& sink) const override { sink(text); }
};

class Asking : public slipway::Scheduler {
 public:
  using Scheduler::Scheduler;

  slipway::RunOpts run_opts(const slipway::Call&) override {
    return {{"job_dir", slipway::ValueType::kStr, "has no meaning for the host", false, {}},
            {"copy",
             slipway::ValueType::kStr,
             "the directory of the workspace's copy",
             false,
             {},
             slipway::OptMeaning::kWorkspaceDir}};
  }
  std::unique_ptr<slipway::Request> submit_dryrun(const slipway::AppDef& app,
                                                  const slipway::Cfg& cfg, const OnFinding&,
                                                  const slipway::Call& call) override {
    const slipway::Role& role = app.roles.at(0);
    // A path, such as that of a workspace's copy, is an image of the provider `dir`.
    const bool is_path = role.image.rfind('/', 0) == 0;
    slipway::HostedImageProvider images(host(), is_path ? "dir" : role.image, call);
    const std::string root = images.resolve(role.image, call);
    slipway::StrDict env;
    const slipway::ReplicaParam param =
        images.replica_param(images.fetch_role(role, env, call), role, call);
    host().log(slipway::LogLevel::kInfo, "resolved " + role.image);
    auto request = std::make_unique<AskingRequest>();
    request->text = "{\"root\":" + slipway::json_quote(root) +
                    ",\"program\":" + slipway::json_quote(param.args.at(0)) +
                    ",\"cwd\":" + slipway::json_quote(param.cwd.value_or("")) +
                    ",\"state\":" + slipway::json_quote(host().state_dir(call)) +
                    ",\"job_dir\":" + slipway::json_quote(cfg.text("job_dir")) +
                    ",\"copy\":" + slipway::json_quote(cfg.text("copy")) + "}";
    return request;
  }
  slipway::Submission schedule(const slipway::Request&, const slipway::ScheduleOptions&,
                               const slipway::Call& call) override {
    // Always fails. The error has a hint, and a place, which the host puts before the message.
    const bool has_state = std::filesystem::is_directory(host().state_dir(call));
    throw slipway::Error(slipway::Code::kTemporary,
                         has_state ? "not today" : "there is no directory for state",
                         "try tomorrow", "queue 7");
  }
  std::optional<slipway::Description> describe(std::string_view, std::uint32_t,
                                               const slipway::Call&) override {
    return std::nullopt;
  }
  void cancel(std::string_view, const slipway::CancelOptions&, const slipway::Call&) override {}
  std::vector<slipway::ListItem> list(const slipway::ListQuery&, const slipway::Call&) override {
    return {};
  }
};

}  // namespace

SLIPWAY_PLUGIN("org.slipway.test.asking", "1.0.0",
               SLIPWAY_PROVIDER(Asking, "asking", "asks the host"))
