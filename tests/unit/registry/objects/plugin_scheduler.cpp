#include "core/registry/objects/plugin_scheduler.hpp"

#include <boost/test/unit_test.hpp>
#include <utility>

#include "slipway/detail/status_views.hpp"
#include "slipway/detail/views.hpp"
#include "tests/unit/registry/objects/object_fixture.hpp"

namespace slipway::registry {
namespace {

using test::any_library;
using test::error_of;
using test::fail;
using test::HostException;
using test::throws;
using test::throws_host_exception;

// Records the calls of the functions below and controls their answers; each fixture resets it.
struct Script {
  bool null_results = false;  // succeed without a result
  std::string app_id = "app-1";
  bool endless_app_id = false;         // the submission's id has a length that no string can have
  bool wrong_default = false;          // the option, a text, has a number as its default
  slipway_status status = SLIPWAY_OK;  // of app_fields, submit_dryrun, describe and events_open
  int chunks_after_stop = 0;           // chunks delivered after the host's callback failed
  int destroyed = 0;
  // Numbers of the objects that the plug-in has returned and the host has not freed yet.
  int requests = 0;
  int iterators = 0;
  int subscriptions = 0;
  // The last arguments of the host.
  std::int64_t grace_ms = 0;
  std::uint32_t flags = 0;
  std::int32_t owner_fd = 0;
  const slipway_cancel* cancel = nullptr;
  slipway_list_query query{};
  slipway_status log_status = SLIPWAY_OK;  // of log_next
  int log_calls = 0;                       // of log_next
  bool malformed_chunks = false;           // log_next delivers chunks without their size
  slipway_status drain_status = SLIPWAY_END;
};
Script script;
const LogQuery kLogQuery = [] {
  LogQuery out;
  out.app_id = "app-1";
  return out;
}();

// Returns an address for an object of the plug-in, which the host must not read.
template <class T>
T* opaque_object(int number) {
  static char places[8];
  return reinterpret_cast<T*>(&places[number]);
}

slipway_status run_opts(slipway_scheduler*, const slipway_call*, slipway_on_run_opt on_opt,
                        void* ctx, slipway_error*) {
  auto opt = abi::sized<slipway_run_opt>();
  opt.name = abi::view("queue");
  auto value = abi::sized<slipway_cfg_entry>();
  value.type = SLIPWAY_TYPE_INT;
  if (script.wrong_default) opt.default_value = &value;
  return on_opt(ctx, &opt);
}

slipway_status app_fields(slipway_scheduler*, const slipway_call*, const slipway_cfg*,
                          slipway_on_app_field on_field, void* ctx, slipway_error* err) {
  if (script.status < 0) return fail(err, script.status, "not today");
  auto field = abi::sized<slipway_app_field>();
  field.name = abi::view("resource.gpu");
  field.condition = abi::view("with -c gpus=lease");
  return on_field(ctx, &field);
}

slipway_status submit_dryrun(slipway_scheduler*, const slipway_call* call, const slipway_app_def*,
                             const slipway_cfg*, slipway_on_finding on_finding, void* ctx,
                             slipway_request** out, slipway_error* err) {
  script.cancel = call->cancel;
  if (script.status < 0) return fail(err, script.status, "not today");
  auto finding = abi::sized<slipway_finding>();
  finding.kind = SLIPWAY_FINDING_REFUSED;
  finding.field = abi::view("mounts");
  if (const slipway_status status = on_finding(ctx, &finding); status < 0) return status;
  if (script.null_results) return SLIPWAY_OK;
  ++script.requests;
  *out = opaque_object<slipway_request>(0);
  return SLIPWAY_OK;
}

slipway_status request_print(slipway_scheduler*, const slipway_request*, std::int32_t format,
                             slipway_on_str on_text, void* ctx, slipway_error*) {
  if (const slipway_status status = on_text(ctx, abi::view("a")); status < 0) return status;
  return on_text(ctx, abi::view(format == SLIPWAY_PRINT_JSON ? "json" : "text"));
}

void request_free(slipway_scheduler*, slipway_request*) { --script.requests; }

slipway_status schedule(slipway_scheduler*, const slipway_call*, const slipway_request*,
                        const slipway_schedule_opts* opts, slipway_on_submission on_submission,
                        void* ctx, slipway_error*) {
  script.flags = opts->flags;
  script.owner_fd = opts->owner_fd;
  auto made = abi::sized<slipway_submission>();
  made.app_id = abi::view(script.app_id);
  if (script.endless_app_id) made.app_id.len = std::size_t{1} << 63U;
  return script.null_results ? SLIPWAY_OK : on_submission(ctx, &made);
}

slipway_status describe(slipway_scheduler*, const slipway_call*, slipway_str app_id,
                        const slipway_describe_opts*, slipway_on_description on_description,
                        void* ctx, slipway_error* err) {
  if (script.status < 0) return fail(err, script.status, "not today");
  if (abi::text(app_id) == "merged") {
    Description merged;
    merged.roles = {{"role", {ReplicaStatus{}}}};
    merged.roles[0].replicas[0].count = 9;
    return on_description(ctx, abi::DescriptionView(merged).get());
  }
  if (abi::text(app_id) != "app-1") return SLIPWAY_OK;
  auto description = abi::sized<slipway_description>();
  description.app_id = app_id;
  description.state = SLIPWAY_STATE_RUNNING;
  return on_description(ctx, &description);
}

slipway_status cancel(slipway_scheduler*, const slipway_call*, slipway_str,
                      const slipway_cancel_opts* opts, slipway_error*) {
  script.grace_ms = opts->grace_ms;
  return SLIPWAY_OK;
}

slipway_status list(slipway_scheduler*, const slipway_call*, const slipway_list_query* query,
                    slipway_on_list_item on_item, void* ctx, slipway_error*) {
  script.query = *query;
  auto item = abi::sized<slipway_list_item>();
  item.app_id = abi::view("app-1");
  return on_item(ctx, &item);
}

slipway_status events_open(slipway_scheduler*, const slipway_call*, slipway_str,
                           const slipway_events_opts*, slipway_events** out, slipway_error* err) {
  if (script.status < 0) return fail(err, script.status, "no events");
  if (script.null_results) return SLIPWAY_OK;
  ++script.subscriptions;
  *out = opaque_object<slipway_events>(1);
  return SLIPWAY_OK;
}
std::int32_t events_fd(slipway_events*) { return 42; }
slipway_status events_drain(slipway_events*, slipway_error* err) {
  if (script.drain_status < 0) return fail(err, script.drain_status, "the event server restarts");
  return script.drain_status;
}
void events_close(slipway_events*) { --script.subscriptions; }

slipway_status log_open(slipway_scheduler*, const slipway_call*, const slipway_log_query*,
                        slipway_log_iter** out, slipway_error*) {
  if (script.null_results) return SLIPWAY_OK;
  ++script.iterators;
  *out = opaque_object<slipway_log_iter>(2);
  return SLIPWAY_OK;
}

// A plug-in that ignores a stop: it continues after the host asked to stop, and returns success.
slipway_status log_next(slipway_log_iter*, std::int64_t timeout_ms, slipway_on_log_chunk on_chunk,
                        void* ctx, slipway_error* err) {
  ++script.log_calls;
  if (script.log_status < 0) return fail(err, script.log_status, "the log server is away");
  if (timeout_ms == 0) return SLIPWAY_AGAIN;
  auto chunk = abi::sized<slipway_log_chunk>();
  chunk.bytes = abi::view("x\n");
  if (script.malformed_chunks) chunk.struct_size = 0;
  for (int i = 0; i <= script.chunks_after_stop; ++i) on_chunk(ctx, &chunk);
  return script.log_status;
}
void log_cancel(slipway_log_iter*) {}
void log_close(slipway_log_iter*) { --script.iterators; }

slipway_scheduler_vtbl full_table() {
  slipway_scheduler_vtbl table{};
  table.struct_size = sizeof table;
  table.flags = SLIPWAY_SCHEDULER_NEEDS_RESOURCES;
  table.destroy = [](slipway_scheduler*) { ++script.destroyed; };
  table.run_opts = run_opts;
  table.app_fields = app_fields;
  table.submit_dryrun = submit_dryrun;
  table.request_print = request_print;
  table.request_free = request_free;
  table.schedule = schedule;
  table.describe = describe;
  table.cancel = cancel;
  table.delete_app = [](slipway_scheduler*, const slipway_call*, slipway_str,
                        const slipway_delete_opts*,
                        slipway_error*) { return slipway_status{SLIPWAY_OK}; };
  table.list = list;
  table.events_open = events_open;
  table.events_fd = events_fd;
  table.events_drain = events_drain;
  table.events_close = events_close;
  table.log_open = log_open;
  table.log_next = log_next;
  table.log_cancel = log_cancel;
  table.log_close = log_close;
  return table;
}

struct ScriptFixture {
  ScriptFixture() { script = Script(); }

  PluginScheduler wrap() { return {any_library(host), &object, "little"}; }
  AppRequest request(const PluginScheduler& scheduler) {
    return scheduler.submit_dryrun(AppDef("app"), {}, findings);
  }

  test::RecordingHost host;
  slipway_scheduler_vtbl table = full_table();
  slipway_scheduler object{&table};
  std::vector<Finding> findings;
};

BOOST_FIXTURE_TEST_SUITE(PluginSchedulers, ScriptFixture)

BOOST_AUTO_TEST_CASE(results_of_the_table_become_values) {
  const PluginScheduler scheduler = wrap();
  BOOST_TEST(scheduler.name() == "little");
  BOOST_TEST(scheduler.plugin_id() == "org.example.good");
  BOOST_TEST(scheduler.needs_resources());
  BOOST_TEST(!scheduler.foreground_by_default());
  BOOST_TEST(scheduler.run_opts()[0].name == "queue");
  const AppRequest made = request(scheduler);
  BOOST_REQUIRE(findings.size() == 1U);
  BOOST_TEST((findings[0].kind == Finding::Kind::kRefused));
  BOOST_TEST(made.text() == "atext");
  BOOST_TEST(made.json() == "ajson");
  BOOST_TEST(scheduler.schedule(made, {.foreground = true, .owner_fd = 7}).app_id == "app-1");
  BOOST_TEST(script.flags == static_cast<std::uint32_t>(SLIPWAY_SCHEDULE_FOREGROUND));
  BOOST_TEST(script.owner_fd == 7);
  BOOST_TEST((scheduler.describe("app-1", 0)->state == AppState::kRunning));
  BOOST_TEST(!scheduler.describe("app-2", 0));
  BOOST_TEST(scheduler.list().at(0).app_id == "app-1");
}

BOOST_AUTO_TEST_CASE(every_result_is_freed_once_and_the_object_last) {
  {
    std::optional<PluginScheduler> scheduler = wrap();
    AppRequest made = request(*scheduler);
    const AppRequest moved = std::move(made);
    const auto events = scheduler->events_open("app-1", EventScope::kState);
    const PluginLogs logs = scheduler->log_open(kLogQuery);
    scheduler.reset();
    BOOST_TEST(script.destroyed == 0);  // its results keep it alive
    BOOST_TEST(moved.text() == "atext");
  }
  BOOST_TEST(script.destroyed == 1);
  BOOST_TEST(script.requests == 0);
  BOOST_TEST(script.subscriptions == 0);
  BOOST_TEST(script.iterators == 0);
}

BOOST_AUTO_TEST_CASE(a_failure_keeps_code_message_hint_and_names_the_plugin) {
  script.status = SLIPWAY_E_UNAVAILABLE;
  const Error error = error_of([&] { wrap().describe("app-1", 0); });
  BOOST_TEST((error.code() == Code::kUnavailable));
  BOOST_TEST(error.message() == "not today");
  BOOST_TEST(error.hint() == "try again");
  BOOST_TEST(error.where() == "org.example.good");
}

BOOST_AUTO_TEST_CASE(replicas_are_merged_only_on_request) {
  const auto asked = wrap().describe("merged", SLIPWAY_WANT_REPLICAS | SLIPWAY_WANT_MERGED);
  BOOST_TEST(asked->roles.at(0).replicas.at(0).count == 9);
  const Error error = error_of([&] { wrap().describe("merged", SLIPWAY_WANT_REPLICAS); });
  BOOST_TEST((error.code() == Code::kAbi));
  BOOST_TEST(error.where() == "org.example.good");
}

BOOST_AUTO_TEST_CASE(an_unknown_failed_status_is_an_internal_error_with_its_message) {
  for (const slipway_status status : {SLIPWAY_E_OUTCOME_UNKNOWN - 1, SLIPWAY_E_PRIVATE - 7}) {
    script.status = status;
    const Error error = error_of([&] { wrap().describe("app-1", 0); });
    BOOST_TEST((error.code() == Code::kInternal));
    BOOST_TEST(error.message() == "not today");
  }
}

BOOST_AUTO_TEST_CASE(an_app_id_that_no_handle_can_hold_breaks_the_contract) {
  const PluginScheduler scheduler = wrap();
  const AppRequest made = request(scheduler);
  for (const char* id : {"ns/job", "job\n", "\xff"}) {
    script.app_id = id;
    const Error error = error_of([&] { scheduler.schedule(made, {}); });
    BOOST_TEST((error.code() == Code::kAbi));
    BOOST_TEST(error.message().find("the app was submitted as") == 0U, error.message());
  }
  script.app_id = "\xC3\xA9 1";  // letters beyond ASCII, and spaces, are allowed
  BOOST_TEST(scheduler.schedule(made, {}).app_id == script.app_id);
}

BOOST_AUTO_TEST_CASE(app_whose_id_cannot_be_copied_may_exist) {
  const PluginScheduler scheduler = wrap();
  const AppRequest made = request(scheduler);
  script.endless_app_id = true;
  const Error error = error_of([&] { scheduler.schedule(made, {}); });
  BOOST_TEST((error.code() == Code::kOutcomeUnknown));
  BOOST_TEST(error.where() == "org.example.good");
}

BOOST_AUTO_TEST_CASE(success_without_a_result_breaks_the_contract) {
  const PluginScheduler scheduler = wrap();
  const AppRequest made = request(scheduler);
  script.null_results = true;
  BOOST_TEST(throws(Code::kAbi, [&] { request(scheduler); }));
  BOOST_TEST(throws(Code::kAbi, [&] { scheduler.schedule(made, {}); }));
  BOOST_TEST(throws(Code::kAbi, [&] { scheduler.events_open("app-1", EventScope::kState); }));
  BOOST_TEST(throws(Code::kAbi, [&] { scheduler.log_open(kLogQuery); }));
}

BOOST_AUTO_TEST_CASE(an_option_whose_default_is_of_another_type_breaks_the_contract) {
  const PluginScheduler scheduler = wrap();
  script.wrong_default = true;
  BOOST_TEST(throws(Code::kAbi, [&] { scheduler.run_opts(); }));
}

BOOST_AUTO_TEST_CASE(a_table_without_a_required_function_is_refused) {
  table.describe = nullptr;
  const Error error = error_of([&] { wrap(); });
  BOOST_TEST((error.code() == Code::kAbi));
  BOOST_TEST(error.message() == "the plug-in lacks the required function describe");
  BOOST_TEST(error.where() == "org.example.good");
  BOOST_TEST(script.destroyed == 1);
  // The table has the pointers, but struct_size excludes them (rule R6 of abi/base.h).
  table = full_table();
  table.struct_size = SLIPWAY_FIELD_END(slipway_scheduler_vtbl, destroy);
  BOOST_TEST(throws(Code::kAbi, [&] { wrap(); }));
}

BOOST_AUTO_TEST_CASE(an_object_without_a_table_is_refused) {
  object.vtbl = nullptr;
  BOOST_TEST(throws(Code::kAbi, [&] { wrap(); }));
}

BOOST_AUTO_TEST_CASE(optional_functions_that_are_null_or_beyond_the_table_are_not_implemented) {
  table.request_patch = nullptr;
  table.delete_app = nullptr;
  table.struct_size = SLIPWAY_FIELD_END(slipway_scheduler_vtbl, list);  // before log_open
  const PluginScheduler scheduler = wrap();
  AppRequest made = request(scheduler);
  BOOST_TEST(throws(Code::kUnimplemented, [&] { made.patch("{}"); }));
  BOOST_TEST(throws(Code::kUnimplemented, [&] { scheduler.delete_app("app-1"); }));
  BOOST_TEST(throws(Code::kUnimplemented, [&] { scheduler.log_open(kLogQuery); }));
  BOOST_TEST(!scheduler.events_open("app-1", EventScope::kState));
}

BOOST_AUTO_TEST_CASE(a_struct_without_its_size_breaks_the_contract) {
  table.list = [](slipway_scheduler*, const slipway_call*, const slipway_list_query*,
                  slipway_on_list_item on_item, void* ctx, slipway_error*) {
    const slipway_list_item item{};
    return on_item(ctx, &item);
  };
  const Error error = error_of([&] { wrap().list(); });
  BOOST_TEST((error.code() == Code::kAbi));
  BOOST_TEST(error.message().starts_with("list: a slipway_list_item has the struct_size 0"),
             error.message());
  BOOST_TEST(error.where() == "org.example.good");
}

BOOST_AUTO_TEST_CASE(an_app_whose_submission_has_no_size_may_run) {
  table.schedule = [](slipway_scheduler*, const slipway_call*, const slipway_request*,
                      const slipway_schedule_opts*, slipway_on_submission on_submission, void* ctx,
                      slipway_error*) {
    const slipway_submission made{};
    return on_submission(ctx, &made);
  };
  const PluginScheduler scheduler = wrap();
  const AppRequest made = request(scheduler);
  const Error error = error_of([&] { scheduler.schedule(made, {}); });
  BOOST_TEST((error.code() == Code::kAbi));
  BOOST_TEST(error.hint().ends_with("it may run"), error.hint());
}

BOOST_AUTO_TEST_CASE(object_without_destroy_is_leaked) {
  table.destroy = nullptr;
  { const PluginScheduler scheduler = wrap(); }
  BOOST_TEST(script.destroyed == 0);
}

BOOST_AUTO_TEST_CASE(exists_falls_back_to_describe) {
  BOOST_TEST(wrap().exists("app-1"));
  BOOST_TEST(!wrap().exists("app-2"));
  table.exists = [](slipway_scheduler*, const slipway_call*, slipway_str, std::int32_t* out,
                    slipway_error*) {
    *out = 7;
    return slipway_status{SLIPWAY_OK};
  };
  BOOST_TEST(wrap().exists("app-2"));
  table.exists = [](slipway_scheduler*, const slipway_call*, slipway_str, std::int32_t*,
                    slipway_error* err) { return fail(err, SLIPWAY_E_UNIMPLEMENTED, "no exists"); };
  BOOST_TEST(wrap().exists("app-1"));
  BOOST_TEST(!wrap().exists("app-2"));
}

BOOST_AUTO_TEST_CASE(exception_of_the_hosts_callback_reaches_the_caller) {
  const AppRequest made = request(wrap());
  BOOST_TEST(throws_host_exception(
      [&] { made.print(/*json=*/false, [](std::string_view) { throw HostException(); }); }));
}

BOOST_AUTO_TEST_CASE(exception_is_rethrown_even_if_the_plugin_calls_back_again) {
  script.chunks_after_stop = 3;
  bool is_first = true;
  PluginLogs logs = wrap().log_open(kLogQuery);
  BOOST_TEST(throws_host_exception([&] {
    logs.next(-1, [&](const LogChunk&) {
      if (std::exchange(is_first, false)) throw HostException();
    });
  }));
}

BOOST_AUTO_TEST_CASE(logs_return_why_a_call_ended) {
  PluginLogs logs = wrap().log_open(kLogQuery);
  std::string text;
  const auto keep = [&](const LogChunk& chunk) { text.append(chunk.bytes); };
  BOOST_TEST((logs.next(0, keep) == LogIterator::Next::kTimeout));
  BOOST_TEST((logs.next(-1, keep) == LogIterator::Next::kChunks));
  script.log_status = 77;  // of a later version
  BOOST_TEST((logs.next(-1, keep) == LogIterator::Next::kChunks));
  script.log_status = SLIPWAY_END;
  BOOST_TEST((logs.next(-1, keep) == LogIterator::Next::kEnd));
  BOOST_TEST(text == "x\nx\nx\n");
}

BOOST_AUTO_TEST_CASE(missing_events_are_not_an_error) {
  script.status = SLIPWAY_E_UNIMPLEMENTED;
  BOOST_TEST(!wrap().events_open("app-1", EventScope::kState));
  script.status = SLIPWAY_E_NOT_FOUND;
  BOOST_TEST(throws(Code::kNotFound, [&] { wrap().events_open("app-9", EventScope::kState); }));
}

BOOST_AUTO_TEST_CASE(events_end_at_the_plugins_end_status) {
  auto events = wrap().events_open("app-1", EventScope::kState);
  BOOST_REQUIRE(events.has_value());
  BOOST_TEST(events->fd() == 42);
  BOOST_TEST(!events->drain());
}

BOOST_AUTO_TEST_CASE(subscription_continues_after_a_temporary_error) {
  auto events = wrap().events_open("app-1", EventScope::kState);
  BOOST_REQUIRE(events.has_value());
  script.drain_status = SLIPWAY_E_TEMPORARY;
  BOOST_TEST(throws(Code::kTemporary, [&] { events->drain(); }));
  script.drain_status = SLIPWAY_OK;
  BOOST_TEST(events->drain());
  BOOST_TEST(script.subscriptions == 1);
}

BOOST_AUTO_TEST_CASE(scheduler_that_needs_a_later_host_is_not_used) {
  table.flags = 0x8000;  // the highest flag that the host may ignore
  BOOST_TEST(!wrap().needs_resources());
  BOOST_TEST(script.destroyed == 1);
  table.flags = 0x10000;  // the lowest flag that the host must understand
  BOOST_TEST(throws(Code::kUnimplemented, [&] { wrap(); }));
  BOOST_TEST(script.destroyed == 2);
}

BOOST_AUTO_TEST_CASE(cancel_without_a_grace_time_uses_that_of_the_app) {
  wrap().cancel("app-1", {});
  BOOST_TEST(script.grace_ms == -1);
  wrap().cancel("app-1", {.now = false, .grace_ms = 0});
  BOOST_TEST(script.grace_ms == 0);
}

BOOST_AUTO_TEST_CASE(cancellation_of_a_call_is_passed_on) {
  const slipway_cancel stop(-1);  // without a descriptor
  wrap().submit_dryrun(AppDef("app"), {}, findings, &stop);
  BOOST_TEST((script.cancel == &stop));
}

BOOST_AUTO_TEST_CASE(fields_come_with_their_conditions) {
  const auto fields = wrap().app_fields({});
  BOOST_REQUIRE(fields.has_value());
  BOOST_TEST(fields->at(0).name == "resource.gpu");
  BOOST_TEST(fields->at(0).condition == "with -c gpus=lease");
  script.status = SLIPWAY_E_UNIMPLEMENTED;
  BOOST_TEST(!wrap().app_fields({}).has_value());
  script.status = SLIPWAY_E_INVALID;
  BOOST_TEST(throws(Code::kInvalid, [&] { wrap().app_fields({}); }));
  table.app_fields = nullptr;
  BOOST_TEST(!wrap().app_fields({}).has_value());
}

BOOST_AUTO_TEST_CASE(list_passes_the_query_on) {
  ListQuery query;
  query.active_only = true;
  query.one_of_several = true;
  query.since = 17;
  query.limit = 3;
  wrap().list(query);
  BOOST_TEST(script.query.flags == (SLIPWAY_LIST_ACTIVE | SLIPWAY_LIST_ONE_OF_SEVERAL));
  BOOST_TEST(script.query.since_ns == 17);
  BOOST_TEST(script.query.limit == 3);
  wrap().list();
  BOOST_TEST(script.query.flags == 0U);
  BOOST_TEST(script.query.since_ns == SLIPWAY_TIME_UNSET);
}

BOOST_AUTO_TEST_CASE(logs_can_be_read_again_only_after_a_temporary_error) {
  const PluginScheduler scheduler = wrap();
  PluginLogs logs = scheduler.log_open(kLogQuery);
  const LogIterator::Sink ignore = [](const LogChunk&) {};
  script.log_status = SLIPWAY_E_TEMPORARY;
  BOOST_TEST(throws(Code::kTemporary, [&] { logs.next(-1, ignore); }));
  script.log_status = SLIPWAY_E_UNAVAILABLE;
  BOOST_TEST(throws(Code::kUnavailable, [&] { logs.next(-1, ignore); }));
  BOOST_TEST(script.log_calls == 2);
  script.log_status = SLIPWAY_OK;
  BOOST_TEST(throws(Code::kUnavailable, [&] { logs.next(-1, ignore); }));
  BOOST_TEST(script.log_calls == 2);
}

BOOST_AUTO_TEST_CASE(malformed_chunk_is_final_and_an_exception_of_the_caller_is_not) {
  const PluginScheduler scheduler = wrap();
  PluginLogs logs = scheduler.log_open(kLogQuery);
  const LogIterator::Sink fails = [](const LogChunk&) { throw Error(Code::kInvalid, "full"); };
  const LogIterator::Sink ignore = [](const LogChunk&) {};
  BOOST_TEST((error_of([&] { logs.next(-1, fails); }).code() == Code::kInvalid));
  BOOST_TEST((logs.next(-1, ignore) == LogIterator::Next::kChunks));
  script.malformed_chunks = true;
  BOOST_TEST(throws(Code::kAbi, [&] { logs.next(-1, ignore); }));
  script.malformed_chunks = false;
  BOOST_TEST(throws(Code::kAbi, [&] { logs.next(-1, ignore); }));
  BOOST_TEST(script.log_calls == 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::registry
