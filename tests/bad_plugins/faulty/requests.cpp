#include "tests/bad_plugins/faulty/requests.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "slipway/detail/app_views.hpp"
#include "slipway/json_text.hpp"
#include "tests/bad_plugins/faulty/limits.hpp"
#include "tests/bad_plugins/faulty/scheduler_object.hpp"

namespace faulty {

namespace {

struct Request {
  slipway::AppDef app;
  slipway_str view;  // the app's name in the memory of the host, valid only during submit_dryrun
};
const Request& read(const slipway_request* request) {
  return *reinterpret_cast<const Request*>(request);
}

// Reports that `schedule` will refuse the app because of a field.
void report_refusal(slipway_on_finding on_finding, void* ctx, std::string_view field) {
  auto finding = abi::sized<slipway_finding>();
  finding.kind = SLIPWAY_FINDING_REFUSED;
  finding.field = abi::view(field);
  finding.why = abi::view("the cluster does not have it");
  (void)on_finding(ctx, &finding);
}

}  // namespace

slipway_status submit_dryrun(slipway_scheduler* self, const slipway_call* call,
                             const slipway_app_def* app, const slipway_cfg* cfg,
                             slipway_on_finding on_finding, void* ctx, slipway_request** out,
                             slipway_error* err) {
  ignore_limits("submit_dryrun", limits_of(self, call));
  if (const slipway_status over = begin(self, call, err); over < 0) return over;
  if (app->roles.count == 0) {
    if (broken("throws_system_error")) {
      throw std::filesystem::filesystem_error("no roles",
                                              std::make_error_code(std::errc::io_error));
    }
    if (broken("throws_on_empty_app")) throw std::runtime_error("no roles");
    if (broken("refuses_without_message")) return SLIPWAY_E_INVALID;
    return fail(self, err, SLIPWAY_E_INVALID, "the app has no roles");
  }
  if (broken("dryrun_fails_internally"))
    return fail(self, err, SLIPWAY_E_INTERNAL, "vector::_M_range_check");
  if (broken("dryrun_warns")) std::fputs("warning: no queue\n", stderr);
  if (broken("refuses_with_control_bytes"))
    return fail(self, err, SLIPWAY_E_INVALID, std::string(8192, '\x04'));
  if (broken("refuses_every_app")) return fail(self, err, SLIPWAY_E_INVALID, "no app suits it");
  if (broken("refuses_every_app_by_a_finding")) report_refusal(on_finding, ctx, "image");
  auto request = std::make_unique<Request>();
  request->view = app->name;
  if (broken("expects_nul")) {
    request->app.name = app->name.ptr;
  } else if (broken("indexes_without_stride")) {
    for (std::size_t i = 0; i < app->roles.count; ++i)
      request->app.roles.push_back(abi::read(app->roles.ptr[i]));
  } else {
    request->app = abi::read(*app);
  }
  for (const slipway::Role& role : request->app.roles) {
    if (!is_known(role.retry_policy) && !broken("guesses_unknown")) {
      if (broken("traps_on_unknown")) std::abort();
      return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "the retry policy is unknown");
    }
    const bool only_reports_mounts = broken("refuses_mounts_by_a_finding");
    if (only_reports_mounts && !role.mounts.empty()) report_refusal(on_finding, ctx, "mounts");
    for (const slipway::Mount& mount : role.mounts) {
      if (!only_reports_mounts && !is_known(mount.kind) && !broken("guesses_mounts"))
        return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "the kind of a mount is unknown");
    }
    if (broken("wants_image_names") && role.image.substr(0, 1) == "/")
      return fail(self, err, SLIPWAY_E_INVALID, "an image is no path");
  }
  for (std::size_t i = 0; i < cfg->entries.count; ++i) {
    const std::string key = abi::str(SLIPWAY_AT(cfg->entries, slipway_cfg_entry, i)->key);
    const bool is_known_key = key == "queue" || key == "account";
    if (!is_known_key && broken("refuses_unknown_options_by_a_finding"))
      report_refusal(on_finding, ctx, key);
    if (!is_known_key && broken("refuses_unknown_options"))
      return fail(self, err, SLIPWAY_E_INVALID, "there is no such option");
  }
  if (broken("dryrun_writes")) me(self).store.add("dryrun", {});
  *out = reinterpret_cast<slipway_request*>(request.release());
  return SLIPWAY_OK;
}

slipway_status request_print(slipway_scheduler* self, const slipway_request* given, int32_t format,
                             slipway_on_str on_text, void* ctx, slipway_error* err) {
  if (format != SLIPWAY_PRINT_TEXT && format != SLIPWAY_PRINT_JSON && !broken("prints_any_format"))
    return fail(self, err, SLIPWAY_E_UNIMPLEMENTED, "the format is unknown");
  if (broken("request_print_warns")) std::fputs("warning: a deprecated format\n", stderr);
  const Request& request = read(given);
  const std::string name = broken("keeps_view") ? abi::str(request.view) : request.app.name;
  std::string text = name;
  for (const slipway::Role& role : request.app.roles)
    text += " " + role.name + "x" + std::to_string(role.num_replicas);
  if (format == SLIPWAY_PRINT_JSON) {
    text = "{\"app\": " + slipway::json_quote(text) + (broken("half_json") ? "" : "}");
    return on_text(ctx, abi::view(text));
  }
  const slipway_status status = on_text(ctx, abi::view(text));
  if (status < 0 && !broken("ignores_stop")) return status;
  return broken("text_without_line_end") ? status : on_text(ctx, abi::view("\n"));
}

slipway_status request_patch(slipway_scheduler* self, slipway_request*, slipway_str,
                             slipway_error* err) {
  if (broken("takes_any_patch")) return SLIPWAY_OK;
  return fail(self, err, SLIPWAY_E_INVALID, "this is no patch");
}

void request_free(slipway_scheduler*, slipway_request* request) {
  delete reinterpret_cast<Request*>(request);
}

const slipway::AppDef& app_of(const slipway_request* request) { return read(request).app; }

}  // namespace faulty
