#include <boost/test/unit_test.hpp>

#include "tests/unit/sdk/little_scheduler.hpp"

namespace slipway::abi {
namespace {

using sdk_test::LittleScheduler;
using sdk_test::RecordingHost;

slipway_status keep_text(void* ctx, slipway_str text_piece) {
  static_cast<std::string*>(ctx)->append(text(text_piece));
  return SLIPWAY_OK;
}

// Accepts `room` results and then asks the plug-in to stop.
struct Room {
  int room;
  int seen = 0;
  slipway_status take() { return ++seen > room ? SLIPWAY_E_CANCELLED : SLIPWAY_OK; }
};

struct ThunksFixture {
  ThunksFixture() {
    auto args = sized<slipway_create_args>();
    args.name = view("little");
    args.config_json = view("{}");
    void* out = nullptr;
    BOOST_REQUIRE(create<LittleScheduler>(host.table(), nullptr, &args, &out, &error) ==
                  SLIPWAY_OK);
    scheduler = static_cast<slipway_scheduler*>(out);
    call = sized<slipway_call>();
  }
  ~ThunksFixture() {
    if (request != nullptr) table().request_free(scheduler, request);
    table().destroy(scheduler);
    BOOST_TEST(LittleScheduler::alive == 0);
  }
  ThunksFixture(const ThunksFixture&) = delete;
  ThunksFixture& operator=(const ThunksFixture&) = delete;

  const slipway_scheduler_vtbl& table() const { return *scheduler->vtbl; }
  LittleScheduler& impl() const { return static_cast<LittleScheduler&>(*object(scheduler).impl); }

  slipway_status dryrun(const AppDef& app, const Cfg& cfg = {}, Room* room = nullptr) {
    const AppDefView app_view(app);
    const CfgView cfg_view(cfg);
    Room enough{100};
    const auto on_finding = [](void* ctx, const slipway_finding*) {
      return static_cast<Room*>(ctx)->take();
    };
    return table().submit_dryrun(scheduler, &call, app_view.get(), cfg_view.get(), on_finding,
                                 room != nullptr ? room : &enough, &request, &error);
  }
  std::string printed(std::int32_t format) {
    std::string out;
    BOOST_TEST(table().request_print(scheduler, request, format, keep_text, &out, &error) ==
               SLIPWAY_OK);
    return out;
  }

  RecordingHost host;
  slipway_error error;
  slipway_call call{};
  slipway_scheduler* scheduler = nullptr;
  slipway_request* request = nullptr;
};

AppDef with_mount() {
  Mount mount;
  return AppDef("app").of(Role("a").mount(mount)).of(Role("b").mount(mount));
}

BOOST_FIXTURE_TEST_SUITE(SchedulerThunks, ThunksFixture)

BOOST_AUTO_TEST_CASE(the_table_is_complete_and_has_the_flags_of_the_class) {
  BOOST_TEST(table().struct_size == sizeof(slipway_scheduler_vtbl));
  BOOST_TEST(table().flags == static_cast<std::uint32_t>(SLIPWAY_SCHEDULER_FOREGROUND_BY_DEFAULT));
  BOOST_TEST((table().get_extension != nullptr));
}

BOOST_AUTO_TEST_CASE(a_constructor_that_throws_leaves_no_object) {
  auto args = sized<slipway_create_args>();
  args.name = view("fails");
  void* out = &args;
  BOOST_TEST(create<LittleScheduler>(host.table(), nullptr, &args, &out, &error) ==
             SLIPWAY_E_PRECONDITION);
  BOOST_TEST((out == &args));
  BOOST_TEST(error.message == "cannot start");
  BOOST_TEST(error.hint == "start the engine");
  BOOST_TEST(LittleScheduler::alive == 1);
}

BOOST_AUTO_TEST_CASE(object_is_closed_before_its_destruction) {
  auto args = sized<slipway_create_args>();
  args.name = view("second");
  void* out = nullptr;
  BOOST_REQUIRE(create<LittleScheduler>(host.table(), nullptr, &args, &out, &error) == SLIPWAY_OK);
  LittleScheduler::closed_while_alive = 0;
  table().destroy(static_cast<slipway_scheduler*>(out));
  BOOST_TEST(LittleScheduler::closed_while_alive == 2);  // `out` and the fixture's object
  BOOST_TEST(LittleScheduler::alive == 1);
}

BOOST_AUTO_TEST_CASE(submit_is_a_dry_run_and_a_schedule) {
  LittleScheduler second(Host(), {});
  BOOST_TEST(second.submit(AppDef("app"), Cfg(), Call()).app_id == "app-1");
  BOOST_CHECK_THROW(second.submit(AppDef("nothing"), Cfg(), Call()), Error);
}

BOOST_AUTO_TEST_CASE(options_come_in_order_until_the_host_stops) {
  RunOpts opts;
  const auto keep = [](void* ctx, const slipway_run_opt* opt) -> slipway_status {
    static_cast<RunOpts*>(ctx)->add(read(*opt));
    return SLIPWAY_OK;
  };
  BOOST_TEST(table().run_opts(scheduler, &call, keep, &opts, &error) == SLIPWAY_OK);
  BOOST_REQUIRE(opts.size() == 2U);
  BOOST_TEST(opts[0].name == "queue");
  BOOST_TEST((opts[1].default_value == Value(std::int64_t{5})));
  Room one{1};
  const auto take = [](void* ctx, const slipway_run_opt*) {
    return static_cast<Room*>(ctx)->take();
  };
  BOOST_TEST(table().run_opts(scheduler, &call, take, &one, &error) == SLIPWAY_E_CANCELLED);
  BOOST_TEST(one.seen == 2);
}

BOOST_AUTO_TEST_CASE(a_dry_run_makes_a_request_that_prints) {
  BOOST_TEST(dryrun(AppDef("app")) == SLIPWAY_OK);
  BOOST_TEST(printed(SLIPWAY_PRINT_TEXT) == "app app\n");
  BOOST_TEST(printed(SLIPWAY_PRINT_JSON) == "{\"name\":\"app\"}");
}

BOOST_AUTO_TEST_CASE(findings_reach_the_host_which_may_stop) {
  Room all{10};
  BOOST_TEST(dryrun(with_mount(), {}, &all) == SLIPWAY_OK);
  BOOST_TEST(all.seen == 2);
  table().request_free(scheduler, request);
  request = nullptr;
  Room none{0};
  BOOST_TEST(dryrun(with_mount(), {}, &none) == SLIPWAY_E_CANCELLED);
  BOOST_TEST(none.seen == 1);
  BOOST_TEST((request == nullptr));
}

BOOST_AUTO_TEST_CASE(error_of_a_dry_run_has_its_message) {
  BOOST_TEST(dryrun(AppDef("app"), Cfg({{"nice", std::int64_t{-1}}})) == SLIPWAY_E_INVALID);
  BOOST_TEST(error.message == "cfg: nice is negative");
  BOOST_TEST(error.hint == "give 0 or more");
  BOOST_TEST((request == nullptr));
}

BOOST_AUTO_TEST_CASE(a_dry_run_without_a_request_is_a_defect_of_the_plugin) {
  BOOST_TEST(dryrun(AppDef("nothing")) == SLIPWAY_E_INTERNAL);
  BOOST_TEST((request == nullptr));
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_stops) {
  slipway_cancel cancel{true};
  call.cancel = &cancel;
  BOOST_TEST(dryrun(AppDef("app")) == SLIPWAY_E_CANCELLED);
}

BOOST_AUTO_TEST_CASE(orders_of_a_later_version_are_refused) {
  AppDef app("app");
  app.of(Role("w").retries(1, static_cast<RetryPolicy>(9)));
  BOOST_TEST(dryrun(app) == SLIPWAY_E_UNIMPLEMENTED);
  BOOST_TEST(error.message == "role w: this plug-in does not know the retry policy 9");
  app.roles[0].retry_policy = RetryPolicy::kReplica;
  Mount mount;
  mount.kind = static_cast<MountKind>(7);
  app.roles[0].mount(mount);
  BOOST_TEST(dryrun(app) == SLIPWAY_E_UNIMPLEMENTED);
  BOOST_TEST(error.message == "role w: this plug-in does not know mounts of the kind 7");

  BOOST_REQUIRE(dryrun(AppDef("app")) == SLIPWAY_OK);
  std::string text;
  BOOST_TEST(table().request_print(scheduler, request, /*format=*/5, keep_text, &text, &error) ==
             SLIPWAY_E_UNIMPLEMENTED);
  auto opts = sized<slipway_schedule_opts>();
  const auto ignore = [](void*, const slipway_submission*) -> slipway_status { return SLIPWAY_OK; };
  opts.flags = 0x10000;  // the lowest flag that is not a hint
  BOOST_TEST(table().schedule(scheduler, &call, request, &opts, ignore, nullptr, &error) ==
             SLIPWAY_E_UNIMPLEMENTED);
  opts.flags = 0x8000;  // a hint
  BOOST_TEST(table().schedule(scheduler, &call, request, &opts, ignore, nullptr, &error) ==
             SLIPWAY_OK);
  auto query = sized<slipway_log_query>();
  query.app_id = view("app-1");
  query.stream = 8;  // no SLIPWAY_STREAM_* of this version
  slipway_log_iter* iter = nullptr;
  BOOST_TEST(table().log_open(scheduler, &call, &query, &iter, &error) == SLIPWAY_E_UNIMPLEMENTED);

  auto apps = sized<slipway_list_query>();
  const auto skip = [](void*, const slipway_list_item*) -> slipway_status { return SLIPWAY_OK; };
  apps.flags = 0x10000;
  BOOST_TEST(table().list(scheduler, &call, &apps, skip, nullptr, &error) ==
             SLIPWAY_E_UNIMPLEMENTED);
  BOOST_TEST(error.message == "this plug-in does not know how to list apps this way");
  apps.flags = 0x8000;  // a hint
  BOOST_TEST(table().list(scheduler, &call, &apps, skip, nullptr, &error) == SLIPWAY_OK);
}

BOOST_AUTO_TEST_CASE(a_refused_patch_is_invalid) {
  dryrun(AppDef("app"));
  BOOST_TEST(table().request_patch(scheduler, request, view("{}"), &error) == SLIPWAY_OK);
  BOOST_TEST(table().request_patch(scheduler, request, view("[]"), &error) == SLIPWAY_E_INVALID);
}

BOOST_AUTO_TEST_CASE(schedule_gets_the_options_and_passes_the_id) {
  dryrun(AppDef("app"));
  auto opts = sized<slipway_schedule_opts>();
  opts.owner_fd = 9;
  std::string id;
  const auto keep_id = [](void* ctx, const slipway_submission* made) -> slipway_status {
    *static_cast<std::string*>(ctx) = str(made->app_id);
    return SLIPWAY_OK;
  };
  BOOST_TEST(table().schedule(scheduler, &call, request, &opts, keep_id, &id, &error) ==
             SLIPWAY_OK);
  BOOST_TEST(id == "app-1");
  BOOST_TEST(!impl().last_options.foreground);
  BOOST_TEST(impl().last_options.owner_fd == -1);  // only an app in the foreground has an owner
  opts.flags = SLIPWAY_SCHEDULE_FOREGROUND;
  table().schedule(scheduler, &call, request, &opts, keep_id, &id, &error);
  BOOST_TEST(impl().last_options.foreground);
  BOOST_TEST(impl().last_options.owner_fd == 9);
}

BOOST_AUTO_TEST_CASE(describe_calls_back_for_apps_that_exist) {
  struct Seen {
    int calls = 0;
    bool app = false;
  } seen;
  const auto see = [](void* ctx, const slipway_description* d) -> slipway_status {
    auto& to = *static_cast<Seen*>(ctx);
    ++to.calls;
    to.app = d->app != nullptr;
    return SLIPWAY_OK;
  };
  auto opts = sized<slipway_describe_opts>();
  BOOST_TEST(table().describe(scheduler, &call, view("app-9"), &opts, see, &seen, &error) ==
             SLIPWAY_OK);
  BOOST_TEST(seen.calls == 0);
  BOOST_TEST(table().describe(scheduler, &call, view("app-1"), &opts, see, &seen, &error) ==
             SLIPWAY_OK);
  BOOST_TEST(!seen.app);
  opts.want = SLIPWAY_WANT_APP_DEF;
  table().describe(scheduler, &call, view("app-1"), &opts, see, &seen, &error);
  BOOST_TEST(seen.calls == 2);
  BOOST_TEST(seen.app);
}

BOOST_AUTO_TEST_CASE(an_unknown_exception_of_a_function_is_a_status) {
  const auto ignore = [](void*, const slipway_description*) -> slipway_status {
    return SLIPWAY_OK;
  };
  const auto opts = sized<slipway_describe_opts>();
  BOOST_TEST(table().describe(scheduler, &call, view("throws"), &opts, ignore, nullptr, &error) ==
             SLIPWAY_E_INTERNAL);
}

BOOST_AUTO_TEST_CASE(exists_calls_describe) {
  std::int32_t found = -1;
  table().exists(scheduler, &call, view("app-1"), &found, &error);
  BOOST_TEST(found == 1);
  table().exists(scheduler, &call, view("app-9"), &found, &error);
  BOOST_TEST(found == 0);
}

BOOST_AUTO_TEST_CASE(cancel_passes_the_grace_time) {
  auto opts = sized<slipway_cancel_opts>();
  opts.grace_ms = -1;
  BOOST_TEST(table().cancel(scheduler, &call, view("app-1"), &opts, &error) == SLIPWAY_OK);
  BOOST_TEST(!impl().last_cancel.grace_ms);
  opts.grace_ms = 0;
  opts.now = 1;
  table().cancel(scheduler, &call, view("app-2"), &opts, &error);
  BOOST_TEST((impl().last_cancel.grace_ms == std::optional<std::int64_t>(0)));
  BOOST_TEST(impl().last_cancel.now);
  BOOST_TEST(impl().cancelled.size() == 2U);
}

BOOST_AUTO_TEST_CASE(functions_that_a_class_does_not_override_are_unimplemented) {
  BOOST_TEST(table().delete_app(scheduler, &call, view("app-1"), nullptr, &error) ==
             SLIPWAY_E_UNIMPLEMENTED);
  BOOST_TEST(!error.message.empty());
}

BOOST_AUTO_TEST_CASE(a_list_ends_where_the_host_stops) {
  const auto take = [](void* ctx, const slipway_list_item*) {
    return static_cast<Room*>(ctx)->take();
  };
  const auto query = sized<slipway_list_query>();
  Room all{10};
  BOOST_TEST(table().list(scheduler, &call, &query, take, &all, &error) == SLIPWAY_OK);
  BOOST_TEST(all.seen == 2);
  Room none{0};
  BOOST_TEST(table().list(scheduler, &call, &query, take, &none, &error) == SLIPWAY_E_CANCELLED);
  BOOST_TEST(none.seen == 1);
}

BOOST_AUTO_TEST_CASE(events_have_a_descriptor_until_they_end) {
  slipway_events* events = nullptr;
  const auto opts = sized<slipway_events_opts>();
  BOOST_REQUIRE(table().events_open(scheduler, &call, view("app-1"), &opts, &events, &error) ==
                SLIPWAY_OK);
  BOOST_TEST(table().events_fd(events) == 42);
  BOOST_TEST(table().events_drain(events, &error) == SLIPWAY_OK);
  BOOST_TEST(table().events_drain(events, &error) == SLIPWAY_END);
  table().events_close(events);
}

BOOST_AUTO_TEST_CASE(no_events_are_unimplemented) {
  slipway_events* events = nullptr;
  const auto opts = sized<slipway_events_opts>();
  BOOST_TEST(table().events_open(scheduler, &call, view("none"), &opts, &events, &error) ==
             SLIPWAY_E_UNIMPLEMENTED);
  BOOST_TEST((events == nullptr));
}

BOOST_AUTO_TEST_CASE(events_fd_that_throws_returns_minus_one) {
  slipway_events* events = nullptr;
  const auto opts = sized<slipway_events_opts>();
  BOOST_REQUIRE(table().events_open(scheduler, &call, view("broken"), &opts, &events, &error) ==
                SLIPWAY_OK);
  BOOST_TEST(table().events_fd(events) == -1);
  table().events_close(events);
}

struct LogFixture : ThunksFixture {
  slipway_status open(const char* app_id) {
    LogQuery query;
    query.app_id = app_id;
    const LogQueryView v(query);
    return table().log_open(scheduler, &call, v.get(), &iter, &error);
  }
  slipway_status next(Room& room, std::int64_t timeout_ms = -1) {
    const auto take = [](void* ctx, const slipway_log_chunk*) {
      return static_cast<Room*>(ctx)->take();
    };
    return table().log_next(iter, timeout_ms, take, &room, &error);
  }
  ~LogFixture() {
    if (iter != nullptr) table().log_close(iter);
  }
  slipway_log_iter* iter = nullptr;
};

BOOST_FIXTURE_TEST_CASE(logs_come_in_chunks_and_end, LogFixture) {
  BOOST_REQUIRE(open("app-1") == SLIPWAY_OK);
  Room room{10};
  BOOST_TEST(next(room, 0) == SLIPWAY_AGAIN);
  BOOST_TEST(next(room) == SLIPWAY_OK);
  BOOST_TEST(room.seen == 2);
  BOOST_TEST(next(room) == SLIPWAY_END);
}

BOOST_FIXTURE_TEST_CASE(a_reader_that_stops_gets_no_more_chunks, LogFixture) {
  BOOST_REQUIRE(open("app-1") == SLIPWAY_OK);
  Room none{0};
  BOOST_TEST(next(none) == SLIPWAY_E_CANCELLED);
  BOOST_TEST(none.seen == 1);
}

BOOST_FIXTURE_TEST_CASE(cancelled_iterator_reports_cancellation, LogFixture) {
  BOOST_REQUIRE(open("app-1") == SLIPWAY_OK);
  table().log_cancel(iter);
  Room room{10};
  BOOST_TEST(next(room) == SLIPWAY_E_CANCELLED);
}

BOOST_FIXTURE_TEST_CASE(logs_that_cannot_be_opened_leave_no_iterator, LogFixture) {
  BOOST_TEST(open("app-9") == SLIPWAY_E_NOT_FOUND);
  BOOST_TEST(error.message == "no app app-9");
  BOOST_TEST(open("nothing") == SLIPWAY_E_INTERNAL);
  BOOST_TEST((iter == nullptr));
}

BOOST_AUTO_TEST_CASE(extensions_are_found_by_id) {
  BOOST_TEST((table().get_extension(scheduler, view("little/1")) == &impl()));
  BOOST_TEST((table().get_extension(scheduler, view("other/1")) == nullptr));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::abi
