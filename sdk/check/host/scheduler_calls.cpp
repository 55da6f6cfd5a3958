#include "sdk/check/host/scheduler_calls.hpp"

#include <filesystem>

#include "core/spec/problem.hpp"
#include "sdk/check/host/checked_callback.hpp"
#include "sdk/check/host/samples.hpp"
#include "sdk/support/app_id.hpp"
#include "sdk/support/value_text.hpp"
#include "slipway/detail/app_views.hpp"
#include "slipway/detail/option_views.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/scheduler_resources.hpp"

namespace slipway::check {

namespace {

struct OptSink {
  std::vector<RunOpt> opts;
  std::string malformed, remedy;

  static slipway_status take(void* self, const slipway_run_opt* opt) {
    auto& sink = *static_cast<OptSink*>(self);
    const slipway_run_opt o = abi::widen(opt);
    RunOpt out = abi::read(*opt);
    const auto complain = [&](const std::string& what, const std::string& advice) {
      if (!sink.malformed.empty()) return;
      sink.malformed = "run option \"" + out.name + "\" " + what;
      sink.remedy = advice;
    };
    if (out.name.empty()) complain("has no name", "set its name");
    if (o.type < SLIPWAY_TYPE_STR || o.type > SLIPWAY_TYPE_DICT)
      complain("is of type " + std::to_string(o.type), "use a SLIPWAY_TYPE_* other than NONE");
    // The host reads a default of type NONE as no default.
    if (out.required && type_of(out.default_value) != ValueType::kNone)
      complain("is required and has a default", "a required option has no default");
    if (o.default_value != nullptr && o.default_value->type != o.type &&
        o.default_value->type != SLIPWAY_TYPE_NONE)
      complain("has a default of another type", "give default_value the type of the option");
    if (o.meaning < SLIPWAY_MEANING_NONE || o.meaning > SLIPWAY_MEANING_WORKSPACE_DIR)
      complain("has the unknown meaning " + std::to_string(o.meaning), "use a SLIPWAY_MEANING_*");
    if (out.meaning == OptMeaning::kWorkspaceDir && o.type != SLIPWAY_TYPE_STR)
      complain("names the workspace's directory and is not a str",
               "give it the type SLIPWAY_TYPE_STR");
    for (const RunOpt& before : sink.opts) {
      if (before.name == out.name) complain("is declared twice", "declare each name once");
      if (before.meaning != OptMeaning::kNone && before.meaning == out.meaning)
        complain("has the meaning of " + before.name + " again", "give the meaning to one option");
    }
    sink.opts.push_back(std::move(out));
    return SLIPWAY_OK;
  }
};

Value given_value(const RunOpt& opt, const std::string& text) {
  if (std::optional<Value> value = run_option_value(opt.type, text)) return *std::move(value);
  throw Inconclusive("--cfg " + opt.name + "=" + text + " is not a value of type " +
                     to_string(opt.type));
}

struct SubmissionSink {
  SchedulerUnderTest::Scheduled& out;
  ProgressPage& progress;

  static slipway_status take(void* self, const slipway_submission* given) {
    auto& sink = *static_cast<SubmissionSink*>(self);
    ++sink.out.calls;
    sink.out.app_id = abi::str(abi::widen(given).app_id);
    // Here, because `schedule` may crash or hang after this call.
    if (!sink.out.app_id.empty()) sink.progress.set_unfinished_app(sink.out.app_id);
    return sink.out.stop;
  }
};

slipway_status count_finding(void* dryrun, const slipway_finding* finding) {
  auto& out = *static_cast<SchedulerUnderTest::Dryrun*>(dryrun);
  const slipway_finding f = abi::widen(finding);
  for (const slipway_str text : {f.role, f.field, f.why})
    (void)abi::str(text);  // an invalid pointer or length crashes here
  ++out.findings;
  if (f.kind != SLIPWAY_FINDING_REFUSED) return SLIPWAY_OK;
  if (out.refusals++ == 0) out.refusal = abi::str(f.field) + ": " + abi::str(f.why);
  return SLIPWAY_OK;
}

[[noreturn]] void skip_refused_app(const Options& options, const std::string& why) {
  if (options.app)
    throw Inconclusive("the scheduler refuses the app of " + options.app_file + ": " + why);
  throw Inconclusive(
      "the scheduler refuses the kit's app (" + why +
      "); give one that it accepts with --app, or an image with --image, and run options with "
      "--cfg");
}

}  // namespace

SchedulerUnderTest::SchedulerUnderTest(const Trial& trial, const Instance::How& how)
    : instance_(trial, how) {}

std::vector<RunOpt> SchedulerUnderTest::run_opts() const {
  require(has(&slipway_scheduler_vtbl::run_opts), "run_opts is missing");
  OptSink sink;
  slipway_error error;
  step("run_opts");
  const slipway_status status =
      table().run_opts(object(), plain_call(), kChecked<&OptSink::take>, &sink, &error);
  require_ok("run_opts", status, error);
  require(sink.malformed.empty(), sink.malformed, sink.remedy);
  return sink.opts;
}

Cfg SchedulerUnderTest::cfg() const {
  Cfg out;
  for (const RunOpt& opt : run_opts()) {
    const std::string* given = slipway::find(trial().options.run_options, opt.name);
    if (given != nullptr) {
      out.set(opt.name, given_value(opt, *given));
    } else if (type_of(opt.default_value) != ValueType::kNone) {
      out.set(opt.name, opt.default_value);
    } else if (opt.required) {
      out.set(opt.name, sample_value(opt.type));
    }
  }
  return out;
}

AppDef SchedulerUnderTest::app() const {
  const Options& options = trial().options;
  if (options.app) return for_scheduler(*options.app, trial().provider);
  return built_in_app(sample_image(trial()));
}

AppDef SchedulerUnderTest::sleeper() const {
  AppDef out = app();
  for (Role& role : out.roles) role.runs("sleep", {"600"});
  return out;
}

SchedulerUnderTest::Dryrun SchedulerUnderTest::dryrun(const slipway_app_def* app,
                                                      const slipway_cfg* cfg) const {
  require(has(&slipway_scheduler_vtbl::submit_dryrun), "submit_dryrun is missing");
  Dryrun out;
  step("submit_dryrun");
  out.status = table().submit_dryrun(object(), plain_call(), app, cfg, kChecked<&count_finding>,
                                     &out, &out.request, &out.error);
  return out;
}

void SchedulerUnderTest::require_request(const Dryrun& answer) const {
  inspect_failure("submit_dryrun", answer.status, answer.error);
  require(answer.status != SLIPWAY_E_INTERNAL && answer.status != SLIPWAY_E_ABI,
          "submit_dryrun failed with status " + std::to_string(answer.status) +
              ", which refuses no app but reports a defect: " + answer.error.message);
  if (answer.status < 0) skip_refused_app(trial().options, answer.error.message);
}

void SchedulerUnderTest::require_accepted(const Dryrun& answer) const {
  require_request(answer);
  if (answer.refusals > 0) skip_refused_app(trial().options, answer.refusal);
}

slipway_request* SchedulerUnderTest::request(const AppDef& app, Awkwardness how) const {
  GuardedMemory memory;
  const slipway_app_def* placed = hostile_app(memory, app, how);
  const slipway_cfg* cfg = hostile_cfg(memory, this->cfg(), how);
  memory.seal();
  Dryrun answer = dryrun(placed, cfg);
  memory.vanish();
  require_request(answer);
  require(answer.request != nullptr, "submit_dryrun succeeded and left *out NULL");
  return answer.request;
}

std::string SchedulerUnderTest::print(const slipway_request* request, int32_t format) const {
  require(has(&slipway_scheduler_vtbl::request_print), "request_print is missing");
  TextSink sink;
  slipway_error error;
  step("request_print");
  const slipway_status status =
      table().request_print(object(), request, format, &TextSink::take, &sink, &error);
  require_ok("request_print", status, error);
  return sink.text;
}

void SchedulerUnderTest::free(slipway_request* request) const {
  if (request == nullptr || !has(&slipway_scheduler_vtbl::request_free)) return;
  step("request_free");
  table().request_free(object(), request);
}

SchedulerUnderTest::Scheduled SchedulerUnderTest::schedule(const AppDef& app,
                                                           slipway_schedule_opts opts,
                                                           slipway_status stop) const {
  require(has(&slipway_scheduler_vtbl::schedule), "schedule is missing");
  slipway_request* made = request(app);
  GuardedMemory memory;
  const slipway_schedule_opts* placed = memory.object(opts);
  memory.seal();
  Scheduled out;
  out.stop = stop;
  std::filesystem::create_directory(trial().directory + "/state");  // abi/host.h promises it
  SubmissionSink sink{out, trial().progress};
  step("schedule");
  out.status = table().schedule(object(), plain_call(), made, placed,
                                kChecked<&SubmissionSink::take>, &sink, &out.error);
  memory.vanish();
  free(made);
  return out;
}

std::string SchedulerUnderTest::submit(const AppDef& app, int owner_fd) const {
  auto opts = abi::sized<slipway_schedule_opts>();
  opts.flags = owner_fd >= 0 ? SLIPWAY_SCHEDULE_FOREGROUND : 0;
  opts.owner_fd = owner_fd;
  return verified_id(schedule(app, opts));
}

std::string SchedulerUnderTest::verified_id(const Scheduled& out) {
  require_ok("schedule", out.status, out.error);
  require(out.calls == 1,
          "schedule called on_submission " + std::to_string(out.calls) + " times, not once",
          "call it once, as soon as the app exists and its id is known");
  require(is_app_id(out.app_id),
          "schedule gave " + spec::quoted(out.app_id) + " as the app id, but " +
              std::string(kAppIdRule),
          "give an id of that form, such as that of slipway::make_unique_id()");
  return out.app_id;
}

Answer SchedulerUnderTest::cancel(std::string_view app_id, bool now, std::int64_t grace_ms) const {
  require(has(&slipway_scheduler_vtbl::cancel), "cancel is missing");
  GuardedMemory memory;
  auto opts = abi::sized<slipway_cancel_opts>();
  opts.now = now ? 1 : 0;
  opts.grace_ms = grace_ms;
  const slipway_cancel_opts* placed = memory.object(opts);
  const slipway_str id = memory.text(app_id);
  memory.seal();
  Answer out;
  step("cancel");
  out.status = table().cancel(object(), plain_call(), id, placed, &out.error);
  memory.vanish();
  return out;
}

Answer SchedulerUnderTest::delete_app(std::string_view app_id) const {
  GuardedMemory memory;
  const slipway_str id = memory.text(app_id);
  const slipway_delete_opts* opts = memory.object(abi::sized<slipway_delete_opts>());
  memory.seal();
  Answer out;
  step("delete_app");
  out.status = table().delete_app(object(), plain_call(), id, opts, &out.error);
  memory.vanish();
  return out;
}

}  // namespace slipway::check
