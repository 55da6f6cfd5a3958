#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <limits>

#include "slipway/detail/app_views.hpp"
#include "slipway/detail/components_thunks.hpp"
#include "slipway/detail/log_views.hpp"
#include "slipway/detail/option_views.hpp"
#include "slipway/detail/status_views.hpp"

namespace slipway::abi {

// A struct that has grown since version 1.0.
struct Grown {
  std::uint32_t struct_size;
  std::int32_t known;
  std::int64_t added;
};
template <>
inline constexpr StructFacts kFacts<Grown>{"grown", offsetof(Grown, added)};

namespace {

Role full_role() {
  Role role("trainer");
  role.runs("main.py", {"--a", "", "\xC3\xA9"}).on("img").with_env("K", "v").with_env("EMPTY", "");
  role.base_image = "base";
  role.replicas(4).port("http", 80).retries(2, RetryPolicy::kRole);
  role.min_replicas = 2;
  role.resource.cpu = 8;
  role.resource.mem_mb = std::int64_t{1} << 40;
  role.resource.capabilities_json = R"({"a":1})";
  role.resource.devices = {{"efa", 4}};
  role.resource.tags_json = R"({"t":null})";
  role.mount({MountKind::kDevice, "/dev/a", "/dev/b", true, "r"});
  role.metadata_json = R"({"m":[1]})";
  Resource partition;
  partition.cpu = 2;
  partition.devices = {{"efa", 1}};
  role.require(partition, "slurm");
  return role;
}

void check_equal(const Role& a, const Role& b) {
  BOOST_TEST(a.name == b.name);
  BOOST_TEST(a.image == b.image);
  BOOST_TEST(a.base_image == b.base_image);
  BOOST_TEST(a.entrypoint == b.entrypoint);
  BOOST_TEST((a.args == b.args));
  BOOST_TEST((a.env == b.env));
  BOOST_TEST(a.num_replicas == b.num_replicas);
  BOOST_TEST((a.min_replicas == b.min_replicas));
  BOOST_TEST(a.max_retries == b.max_retries);
  BOOST_TEST((a.retry_policy == b.retry_policy));
  BOOST_TEST((a.resource == b.resource));
  BOOST_TEST((a.port_map == b.port_map));
  BOOST_TEST(a.metadata_json == b.metadata_json);
  BOOST_TEST((a.scheduler_resources == b.scheduler_resources));
  BOOST_REQUIRE(a.mounts.size() == b.mounts.size());
  for (std::size_t i = 0; i < a.mounts.size(); ++i) {
    BOOST_TEST((a.mounts[i].kind == b.mounts[i].kind));
    BOOST_TEST(a.mounts[i].src == b.mounts[i].src);
    BOOST_TEST(a.mounts[i].dst == b.mounts[i].dst);
    BOOST_TEST(a.mounts[i].read_only == b.mounts[i].read_only);
    BOOST_TEST(a.mounts[i].permissions == b.mounts[i].permissions);
  }
}

// An array element of a newer version: the known struct, followed by unknown fields.
template <class T>
struct Newer {
  T known;
  std::uint64_t unknown[3];

  explicit Newer(T value) : known(value), unknown{} {
    known.struct_size = sizeof(Newer);
    for (auto& word : unknown) word = std::numeric_limits<std::uint64_t>::max();
  }
};

template <class A, class T>
A newer_array(const std::vector<Newer<T>>& items) {
  return A{&items.data()->known, items.size(), sizeof(Newer<T>)};
}

// A struct of an older version, which ends after `size` bytes.
template <class T>
T older(const T& value, std::size_t size) {
  T out;
  std::memset(&out, 0x5a, sizeof out);
  std::memcpy(&out, &value, size);
  out.struct_size = static_cast<std::uint32_t>(size);
  return out;
}

BOOST_AUTO_TEST_SUITE(Views)

BOOST_AUTO_TEST_CASE(copy_of_a_struct_claims_only_the_fields_that_both_sides_have) {
  const Newer<slipway_call> newer(sized<slipway_call>());
  BOOST_TEST(widen(&newer.known).struct_size == sizeof(slipway_call));
  const Grown older_struct = older(Grown{0, 7, 8}, offsetof(Grown, added));
  BOOST_TEST(widen(&older_struct).struct_size == offsetof(Grown, added));
}

BOOST_AUTO_TEST_CASE(unknown_terminal_state_means_failed_and_any_other_unknown_state_unknown) {
  BOOST_TEST((read_state(SLIPWAY_STATE_TERMINAL | 9) == AppState::kFailed));
  BOOST_TEST((read_state(9) == AppState::kUnknown));
  BOOST_TEST((read_state(-1) == AppState::kUnknown));
  BOOST_TEST((read_state(SLIPWAY_STATE_PRIVATE | 1) == AppState::kUnknown));
  BOOST_TEST((read_state(SLIPWAY_STATE_PRIVATE | SLIPWAY_STATE_TERMINAL) == AppState::kFailed));
  auto description = sized<slipway_description>();
  description.state = SLIPWAY_STATE_TERMINAL | 9;
  BOOST_TEST(read(description).msg ==
             "the scheduler reports the state 265, which this version does not know");
  BOOST_TEST(!read(description).finished_at.has_value());  // zero, as in a field that is missing
  description.msg = view("preempted");
  BOOST_TEST(read(description).msg == "preempted");
}

BOOST_AUTO_TEST_CASE(times_at_the_epoch_and_before_it_stay_times) {
  BOOST_TEST(time_of(TimeNs()) == SLIPWAY_TIME_UNSET);
  BOOST_TEST(read_time(time_of(TimeNs(0))).has_value());
  BOOST_TEST((read_time(time_of(TimeNs(-5))) == TimeNs(-5)));
}

BOOST_AUTO_TEST_CASE(absent_and_empty_texts_differ) {
  BOOST_TEST((view("").ptr != nullptr));
  BOOST_TEST((view(std::string_view()).ptr != nullptr));
  BOOST_TEST((view_or_absent("").ptr == nullptr));
  BOOST_TEST(str({nullptr, 0}).empty());
  BOOST_TEST(str(view("a")) == "a");
}

BOOST_AUTO_TEST_CASE(texts_that_a_plugin_does_not_know_are_absent) {
  Description description;
  description.roles = {{"a", {ReplicaStatus()}}};
  const DescriptionView described(description);
  BOOST_TEST((described.get()->name.ptr == nullptr));
  const auto* role = described.get()->roles.ptr;
  BOOST_TEST((role->replicas.ptr->hostname.ptr == nullptr));
  BOOST_TEST((view_of(ListItem()).name.ptr == nullptr));
  ComponentInfo info;
  info.params.emplace_back();
  const ComponentInfoView component(info);
  BOOST_TEST((component.get()->help.ptr == nullptr));
  BOOST_TEST((component.get()->params.ptr->help.ptr == nullptr));
}

BOOST_AUTO_TEST_CASE(log_chunk_of_the_app_itself_has_no_role) {
  LogChunk chunk;
  chunk.replica = -1;
  chunk.bytes = "pulling the image\n";
  const slipway_log_chunk v = view_of(chunk);
  BOOST_TEST((v.role.ptr == nullptr));
  BOOST_TEST(read(v).role.empty());
  BOOST_TEST(read(v).replica == -1);
  chunk.role = "w";
  BOOST_TEST(str(view_of(chunk).role) == "w");
}

BOOST_AUTO_TEST_CASE(an_app_survives_the_boundary) {
  AppDef app("train");
  app.of(full_role()).of(Role("plain"));
  app.metadata = {{"k", "v"}};
  const AppDefView v(app);
  const AppDef back = read(*v.get());
  BOOST_TEST(back.name == "train");
  BOOST_TEST((back.metadata == app.metadata));
  BOOST_REQUIRE(back.roles.size() == 2U);
  check_equal(back.roles[0], app.roles[0]);
  check_equal(back.roles[1], app.roles[1]);
}

BOOST_AUTO_TEST_CASE(empty_app_survives_the_boundary) {
  const AppDef app;
  BOOST_TEST(read(*AppDefView(app).get()).roles.empty());
}

BOOST_AUTO_TEST_CASE(empty_resource_is_absent) {
  Role role("r");
  BOOST_TEST((RoleView(role).get()->resource == nullptr));
  role.resource.tags_json = "{}";
  BOOST_TEST((RoleView(role).get()->resource != nullptr));
}

BOOST_AUTO_TEST_CASE(roles_of_a_newer_side_are_read_by_its_stride) {
  const Role first = full_role();
  const Role second("second");
  const RoleView first_view(first);
  const RoleView second_view(second);
  const std::vector<Newer<slipway_role>> roles = {Newer(*first_view.get()),
                                                  Newer(*second_view.get())};
  auto app = sized<slipway_app_def>();
  app.name = view("app");
  app.roles = newer_array<slipway_role_array>(roles);
  const AppDef back = read(app);
  BOOST_REQUIRE(back.roles.size() == 2U);
  check_equal(back.roles[0], first);
  check_equal(back.roles[1], second);
}

BOOST_AUTO_TEST_CASE(mounts_of_a_newer_side_are_read_by_its_stride) {
  auto mount = sized<slipway_mount>();
  mount.src = view("/a");
  std::vector<Newer<slipway_mount>> mounts = {Newer(mount), Newer(mount)};
  mounts[1].known.src = view("/b");
  auto role = sized<slipway_role>();
  role.mounts = newer_array<slipway_mount_array>(mounts);
  const Role back = read(role);
  BOOST_REQUIRE(back.mounts.size() == 2U);
  BOOST_TEST(back.mounts[1].src == "/b");
}

BOOST_AUTO_TEST_CASE(fields_that_an_older_side_does_not_know_are_zero) {
  const Grown older_struct = older(Grown{0, 7, 8}, offsetof(Grown, added));
  BOOST_TEST(widen(&older_struct).known == 7);
  BOOST_TEST(widen(&older_struct).added == 0);
}

BOOST_AUTO_TEST_CASE(a_struct_smaller_than_in_version_1_0_is_refused) {
  const Grown no_size{0, 7, 8};
  BOOST_CHECK_EXCEPTION(widen(&no_size), Error, [](const Error& error) {
    return error.code() == Code::kAbi &&
           error.message() == "a grown has the struct_size 0, smaller than the 8 of version 1.0";
  });
  const RoleView v(full_role());
  slipway_role role = *v.get();
  role.struct_size = SLIPWAY_ROLE_1_0_SIZE - 1;
  BOOST_CHECK_THROW(read(role), Error);
}

BOOST_AUTO_TEST_CASE(run_options_survive_the_boundary) {
  const Cfg cfg({{"s", std::string("")},
                 {"i", std::numeric_limits<std::int64_t>::min()},
                 {"f", -0.25},
                 {"b", true},
                 {"l", StrList{"a", ""}},
                 {"d", StrDict{{"k", "v"}}},
                 {"n", std::monostate{}}});
  BOOST_TEST((read(*CfgView(cfg).get()).values() == cfg.values()));
}

BOOST_AUTO_TEST_CASE(entries_of_a_newer_side_are_read_by_its_stride) {
  auto entry = sized<slipway_cfg_entry>();
  entry.type = SLIPWAY_TYPE_INT;
  entry.key = view("a");
  entry.integer = 1;
  std::vector<Newer<slipway_cfg_entry>> entries = {Newer(entry), Newer(entry), Newer(entry)};
  entries[1].known.key = view("b");
  entries[2].known.key = view("c");
  entries[2].known.type = 77;
  Newer<slipway_cfg> newer(sized<slipway_cfg>());
  newer.known.entries = newer_array<slipway_cfg_array>(entries);
  const Cfg cfg = read(newer.known);
  BOOST_TEST(cfg.integer("b") == 1);
  BOOST_REQUIRE(cfg.find("c") != nullptr);
  BOOST_TEST((type_of(*cfg.find("c")) == ValueType::kNone));
}

BOOST_AUTO_TEST_CASE(declared_options_survive_the_boundary) {
  const RunOpt opt{"paths", ValueType::kList, "where", false, StrList{"/a", "/b"}};
  const RunOptView v(opt);
  const RunOpt back = read(*v.get());
  BOOST_TEST(back.name == "paths");
  BOOST_TEST((back.type == ValueType::kList));
  BOOST_TEST(back.help == "where");
  BOOST_TEST((back.default_value == opt.default_value));
  const RunOpt required{"queue", ValueType::kStr, "", true, {}};
  BOOST_TEST((RunOptView(required).get()->default_value == nullptr));
  BOOST_TEST(read(*RunOptView(required).get()).required);
  // An option of a type that this version does not know is a text.
  BOOST_TEST((read_type(99) == ValueType::kStr));
  BOOST_TEST((read_type(SLIPWAY_TYPE_NONE) == ValueType::kStr));
}

Description full_description() {
  Description d;
  d.app_id = "app-1";
  d.name = "app";
  d.state = AppState::kFailed;
  d.num_restarts = 2;
  d.msg = "why";
  d.structured_error_json = "{}";
  d.ui_url = "file:///x";
  d.metadata = {{"queue", "batch"}};
  d.submitted_at = 7;
  d.finished_at = -5;
  ReplicaStatus replica;
  replica.id = 3;
  replica.state = AppState::kSucceeded;
  replica.hostname = "host";
  replica.pid = 77;
  replica.exit_code = 0;
  replica.reason = "exit";
  replica.restarts = 1;
  replica.started_at = 9;
  replica.structured_error_json = "[]";
  ReplicaStatus killed;
  killed.signal = 9;
  d.roles = {{"a", {replica, killed}}, {"b", {}}};
  return d;
}

BOOST_AUTO_TEST_CASE(a_description_survives_the_boundary) {
  Description d = full_description();
  d.app = AppDef("app");
  const DescriptionView v(d);
  const Description back = read(*v.get());
  BOOST_TEST(back.app_id == "app-1");
  BOOST_TEST((back.state == AppState::kFailed));
  BOOST_TEST(back.num_restarts == 2);
  BOOST_TEST(back.msg == "why");
  BOOST_TEST(back.structured_error_json == "{}");
  BOOST_TEST(back.ui_url == "file:///x");
  BOOST_TEST((back.metadata == StrDict{{"queue", "batch"}}));
  BOOST_TEST((back.submitted_at == TimeNs(7)));
  BOOST_TEST(!back.started_at);
  BOOST_TEST((back.finished_at == TimeNs(-5)));
  BOOST_REQUIRE(back.roles.size() == 2U);
  BOOST_TEST(back.roles[1].role == "b");
  BOOST_REQUIRE(back.roles[0].replicas.size() == 2U);
  const ReplicaStatus& replica = back.roles[0].replicas[0];
  BOOST_TEST(replica.id == 3);
  BOOST_TEST((replica.state == AppState::kSucceeded));
  BOOST_TEST(replica.hostname == "host");
  BOOST_TEST(replica.pid == 77);
  BOOST_TEST((replica.exit_code == std::optional<std::int32_t>(0)));
  BOOST_TEST(replica.reason == "exit");
  BOOST_TEST(replica.restarts == 1);
  BOOST_TEST((replica.started_at == TimeNs(9)));
  BOOST_TEST(!replica.finished_at);
  BOOST_TEST(replica.structured_error_json == "[]");
  BOOST_TEST(!back.roles[0].replicas[1].exit_code);
  BOOST_TEST(back.roles[0].replicas[1].signal == 9);
  BOOST_REQUIRE(back.app.has_value());
  BOOST_TEST(back.app->name == "app");
}

BOOST_AUTO_TEST_CASE(an_entry_for_several_replicas_survives_the_boundary) {
  Description d;
  ReplicaStatus replica;
  replica.id = 7;
  replica.count = 3;
  d.roles = {{"a", {replica}}};
  BOOST_TEST(read(*DescriptionView(d).get()).roles[0].replicas[0].count == 3);
}

std::int32_t count_of(const slipway_replica_status& from) {
  ReplicaStatus out;
  read_into(out, from);
  return out.count;
}

BOOST_AUTO_TEST_CASE(entry_with_a_wrong_count_means_one_replica) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  auto replica = sized<slipway_replica_status>();
  BOOST_TEST(count_of(replica) == 1);  // the value of a scheduler that does not know the field
  for (const auto& [id, count] : {std::pair{0, -1},
                                  {0, std::numeric_limits<std::int32_t>::min()},
                                  {-1, 2},
                                  {2, kMost},
                                  {kMost, 2}}) {
    replica.id = id;
    replica.count = count;
    BOOST_TEST(count_of(replica) == 1);
  }
  replica.id = 0;
  replica.count = kMost;
  BOOST_TEST(count_of(replica) == kMost);
}

BOOST_AUTO_TEST_CASE(a_description_without_an_app_has_none) {
  const Description d = full_description();
  BOOST_TEST((DescriptionView(d).get()->app == nullptr));
  BOOST_TEST(!read(*DescriptionView(d).get()).app);
}

BOOST_AUTO_TEST_CASE(replicas_of_a_newer_side_are_read_by_its_stride) {
  auto replica = sized<slipway_replica_status>();
  std::vector<Newer<slipway_replica_status>> replicas(3, Newer(replica));
  for (std::size_t i = 0; i < 3; ++i) replicas[i].known.id = static_cast<std::int32_t>(i);
  auto role = sized<slipway_role_status>();
  role.replicas = newer_array<slipway_replica_status_array>(replicas);
  const std::vector<Newer<slipway_role_status>> roles = {Newer(role), Newer(role)};
  auto description = sized<slipway_description>();
  description.roles = newer_array<slipway_role_status_array>(roles);
  const Description back = read(description);
  BOOST_REQUIRE(back.roles.size() == 2U);
  BOOST_REQUIRE(back.roles[1].replicas.size() == 3U);
  BOOST_TEST(back.roles[1].replicas[2].id == 2);
}

BOOST_AUTO_TEST_CASE(state_that_this_version_does_not_know_is_read_as_unknown) {
  auto description = sized<slipway_description>();
  description.state = 9;
  BOOST_TEST((read(description).state == AppState::kUnknown));
  auto item = sized<slipway_list_item>();
  item.state = -3;
  BOOST_TEST((read(item).state == AppState::kUnknown));
}

BOOST_AUTO_TEST_CASE(a_list_item_survives_the_boundary) {
  const ListItem item{"app-1", "app", "", AppState::kRunning, 12};
  const slipway_list_item v = view_of(item);
  BOOST_TEST((v.session.ptr == nullptr));
  const ListItem back = read(v);
  BOOST_TEST(back.app_id == "app-1");
  BOOST_TEST(back.name == "app");
  BOOST_TEST((back.state == AppState::kRunning));
  BOOST_TEST((back.submitted_at == TimeNs(12)));
}

BOOST_AUTO_TEST_CASE(log_queries_and_chunks_survive_the_boundary) {
  LogQuery query;
  query.app_id = "app-1";
  query.targets = {{"a", {0, 2}}, {"b", {}}};
  query.stream = Stream::kStderr;
  query.follow = true;
  query.since = 1;
  const LogQueryView v(query);
  const LogQuery back = read(*v.get());
  BOOST_TEST(back.app_id == "app-1");
  BOOST_REQUIRE(back.targets.size() == 2U);
  BOOST_TEST((back.targets[0].replicas == std::vector<std::int32_t>{0, 2}));
  BOOST_TEST(back.targets[1].role == "b");
  BOOST_TEST(back.targets[1].replicas.empty());
  BOOST_TEST((back.stream == Stream::kStderr));
  BOOST_TEST(back.follow);
  BOOST_TEST((back.since == TimeNs(1)));
  BOOST_TEST(!back.until);
  const std::string bytes("\xff\0x", 3);
  const slipway_log_chunk raw = view_of(LogChunk{"a", 2, Stream::kStdout, 4, bytes});
  const LogChunk chunk = read(raw);
  BOOST_TEST(chunk.role == "a");
  BOOST_TEST(chunk.replica == 2);
  BOOST_TEST((chunk.stream == Stream::kStdout));
  BOOST_TEST((chunk.time == TimeNs(4)));
  BOOST_TEST(chunk.bytes == bytes);
  BOOST_TEST((read_stream(42) == Stream::kCombined));  // unknown to this version
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::abi
