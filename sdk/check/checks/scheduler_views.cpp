// Checks of how a scheduler reads its inputs. In every check, strings have no NUL, end at an
// inaccessible page, and become inaccessible after the call.
#include <cctype>
#include <string>
#include <vector>

#include "sdk/check/checks/groups.hpp"
#include "sdk/check/host/samples.hpp"
#include "sdk/check/host/scheduler_calls.hpp"

namespace slipway::check {

namespace {

// Returns the words of letters and digits, and every other character as a word of its own.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      out.back().push_back(c);
    } else {
      out.emplace_back(1, c);
      out.emplace_back();
    }
  }
  return out;
}

// A request as words. Ignores words that differ between two requests of the same app (ids, times).
class RequestWords {
 public:
  RequestWords(const std::string& one, const std::string& other) : words_(words_of(one)) {
    const std::vector<std::string> again = words_of(other);
    if (again.size() != words_.size())
      throw Inconclusive("its requests for the same app differ in more than ids");
    for (std::size_t i = 0; i < words_.size(); ++i) is_fixed_.push_back(words_[i] == again[i]);
  }

  // Returns the first difference between `text` and the request, or an empty text.
  std::string difference(const std::string& text) const {
    const std::vector<std::string> other = words_of(text);
    for (std::size_t i = 0; i < words_.size() && i < other.size(); ++i)
      if (is_fixed_[i] && words_[i] != other[i])
        return "\"" + other[i] + "\" instead of \"" + words_[i] + "\"";
    return other.size() == words_.size() ? "" : "more or fewer words";
  }

 private:
  std::vector<std::string> words_;
  std::vector<bool> is_fixed_;
};

std::string request_of(const SchedulerUnderTest& scheduler, Awkwardness how = {}) {
  slipway_request* request = scheduler.request(scheduler.app(), how);
  const std::string text =
      scheduler.print(request, SLIPWAY_PRINT_TEXT) + scheduler.print(request, SLIPWAY_PRINT_JSON);
  scheduler.free(request);
  return text;
}

void scheduler_views_stride(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  const RequestWords plain(request_of(scheduler), request_of(scheduler));
  for (const std::size_t extra : {std::size_t{8}, std::size_t{64}, std::size_t{1000}}) {
    const std::string difference = plain.difference(request_of(scheduler, {.extra_stride = extra}));
    require(difference.empty(), "with elements " + std::to_string(extra) +
                                    " bytes further apart, the request contains " + difference);
  }
}

void scheduler_views_inputs_vanish(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  // request() makes the inputs inaccessible before it returns, so the plug-in can print only its
  // own copies.
  slipway_request* request = scheduler.request(scheduler.app());
  const std::string text = scheduler.print(request, SLIPWAY_PRINT_TEXT);
  slipway_request* other = scheduler.request(scheduler.app());
  const bool is_unchanged = scheduler.print(request, SLIPWAY_PRINT_TEXT) == text;
  scheduler.free(other);
  scheduler.free(request);
  require(is_unchanged, "the request changed when another one was created");
}

SchedulerUnderTest::Dryrun awkward_dryrun(const SchedulerUnderTest& scheduler, const AppDef& app,
                                          Awkwardness how) {
  GuardedMemory memory;
  const slipway_app_def* placed = hostile_app(memory, app, how);
  const slipway_cfg* cfg = hostile_cfg(memory, scheduler.cfg(), how);
  memory.seal();
  auto answer = scheduler.dryrun(placed, cfg);
  memory.vanish();
  inspect_failure("submit_dryrun", answer.status, answer.error);
  scheduler.free(answer.request);
  return answer;
}

void scheduler_views_unknown_orders(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  AppDef app = scheduler.app();
  // Ends the check if the scheduler refuses the app for another reason.
  scheduler.require_accepted(awkward_dryrun(scheduler, app, {}));
  const auto verify = [&](UnknownValue value, const std::string& what) {
    const auto answer = awkward_dryrun(scheduler, app, {.unknown_value = value});
    require(answer.status == SLIPWAY_E_UNIMPLEMENTED || answer.refusals > 0,
            "submit_dryrun accepted an app with a " + what + " of a later version",
            "return SLIPWAY_E_UNIMPLEMENTED with a message, or report a SLIPWAY_FINDING_REFUSED");
  };
  verify(UnknownValue::kRetryPolicy, "retry policy");
  for (Role& role : app.roles) role.mounts = {sample_mount(trial.directory)};
  const auto with_mounts = awkward_dryrun(scheduler, app, {});
  if (with_mounts.status < 0 || with_mounts.refusals > 0) return;  // it refuses every mount
  verify(UnknownValue::kMountKind, "kind of mount");
}

void scheduler_views_unknown_options(const Trial& trial) {
  const SchedulerUnderTest scheduler(trial);
  scheduler.require_accepted(awkward_dryrun(scheduler, scheduler.app(), {}));
  const auto answer = awkward_dryrun(scheduler, scheduler.app(), {.unknown_options = true});
  require(answer.status >= 0 && answer.refusals == 0,
          "submit_dryrun refused run options that it did not declare: " +
              (answer.status < 0 ? answer.error.message : answer.refusal));
}

}  // namespace

std::vector<Check> scheduler_view_checks() {
  constexpr const char* kKind = SLIPWAY_KIND_SCHEDULER;
  return {
      {"scheduler.stride",
       kKind,
       Needs::kNothing,
       "the stride of an array gives the distance of its elements (R2)",
       "index with SLIPWAY_AT, never with ptr[i]",
       &scheduler_views_stride,
       {"scheduler.request_print"},
       Remedy::kAlsoForCrash},
      {"scheduler.inputs_vanish",
       kKind,
       Needs::kNothing,
       "inputs are valid until the call returns (R4)",
       "keep copies, never views",
       &scheduler_views_inputs_vanish,
       {"scheduler.request_print"},
       Remedy::kAlsoForCrash},
      {"scheduler.unknown_orders",
       kKind,
       Needs::kNothing,
       "an app with values of a later version is refused (R8)",
       "refuse kinds of mounts and retry policies that you do not know",
       &scheduler_views_unknown_orders,
       {"scheduler.dryrun"},
       Remedy::kAlsoForCrash},
      {"scheduler.unknown_options",
       kKind,
       Needs::kNothing,
       "run options that the scheduler did not declare are ignored (abi/options.h)",
       "read only the options that you declared",
       &scheduler_views_unknown_options,
       {"scheduler.dryrun"}},
  };
}

}  // namespace slipway::check
