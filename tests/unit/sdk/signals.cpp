#include <boost/test/unit_test.hpp>

#include "tests/unit/sdk/little_scheduler.hpp"

namespace slipway::abi {
namespace {

using sdk_test::LittleScheduler;
using sdk_test::RecordingHost;

// Has an app "app-1" with one role "role": sends signals to its replica 0; its replica 1 has not
// started.
class Signalling : public LittleScheduler {
 public:
  using LittleScheduler::LittleScheduler;
  std::vector<SignalResult> signal(const SignalOrder& order, const Call&) override {
    if (order.app_id != "app-1") throw Error(Code::kNotFound, "no app " + order.app_id);
    last = order;
    std::vector<SignalResult> out;
    if (order.names("role", 0)) out.push_back({"role", 0, true, {}});
    if (order.names("role", 1)) out.push_back({"role", 1, false, "not started yet"});
    return out;
  }
  SignalOrder last;
};

/// A scheduler of the class `Kind` that a host has created.
template <class Kind>
struct Made {
  Made() {
    auto args = sized<slipway_create_args>();
    args.name = view("little");
    args.config_json = view("{}");
    void* out = nullptr;
    BOOST_REQUIRE(create<Kind>(host.table(), nullptr, &args, &out, &error) == SLIPWAY_OK);
    scheduler = static_cast<slipway_scheduler*>(out);
    table = static_cast<const slipway_scheduler_signal*>(
        scheduler->vtbl->get_extension(scheduler, view(SLIPWAY_SCHEDULER_SIGNAL)));
    BOOST_REQUIRE((table != nullptr));
  }
  ~Made() { scheduler->vtbl->destroy(scheduler); }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;

  Kind& impl() const { return static_cast<Kind&>(*object(scheduler).impl); }

  // The host stops the call after `room` results.
  slipway_status send(const SignalOrder& order, std::size_t room = 100) {
    struct Taken {
      std::vector<SignalResult>& results;
      std::size_t room;
    } taken{results, room};
    const auto on_result = [](void* ctx, const slipway_signal_result* result) -> slipway_status {
      Taken& to = *static_cast<Taken*>(ctx);
      to.results.push_back(read(*result));
      return to.results.size() < to.room ? SLIPWAY_OK : SLIPWAY_E_CANCELLED;
    };
    const SignalOrderView order_view(order);
    const auto call = sized<slipway_call>();
    return table->send(scheduler, &call, order_view.get(), on_result, &taken, &error);
  }

  RecordingHost host;
  slipway_error error;
  slipway_scheduler* scheduler = nullptr;
  const slipway_scheduler_signal* table = nullptr;
  std::vector<SignalResult> results;
};

BOOST_AUTO_TEST_SUITE(Signals)

BOOST_AUTO_TEST_CASE(orders_and_results_cross_the_boundary) {
  Made<Signalling> made;
  BOOST_TEST(made.send({"app-1", 10, {{"role", {1, 0}}}}) == SLIPWAY_OK);
  BOOST_TEST(made.impl().last.signal == 10);
  BOOST_REQUIRE(made.impl().last.targets.size() == 1U);
  BOOST_TEST(made.impl().last.targets[0].role == "role");
  BOOST_TEST(made.impl().last.targets[0].replicas == (std::vector<std::int32_t>{1, 0}),
             boost::test_tools::per_element());
  BOOST_REQUIRE(made.results.size() == 2U);
  BOOST_TEST(made.results[0].sent);
  BOOST_TEST(made.results[0].why.empty());
  BOOST_TEST(!made.results[1].sent);
  BOOST_TEST(made.results[1].role == "role");
  BOOST_TEST(made.results[1].replica == 1);
  BOOST_TEST(made.results[1].why == "not started yet");
}

BOOST_AUTO_TEST_CASE(an_order_names_the_replicas_of_its_targets_and_without_targets_all) {
  const SignalOrder every{"app-1", 10, {}};
  BOOST_TEST(every.names("any", 7));
  const SignalOrder role{"app-1", 10, {{"a", {}}}};
  BOOST_TEST(role.names("a", 7));
  BOOST_TEST(!role.names("b", 7));
  const SignalOrder some{"app-1", 10, {{"a", {1}}}};
  BOOST_TEST(some.names("a", 1));
  BOOST_TEST(!some.names("a", 0));
}

BOOST_AUTO_TEST_CASE(an_invalid_signal_number_never_reaches_the_scheduler) {
  Made<Signalling> made;
  for (const int signal : {-1, 0, 65}) {
    BOOST_TEST(made.send({"app-1", signal, {}}) == SLIPWAY_E_INVALID);
    BOOST_TEST(made.error.message.find(std::to_string(signal)) != std::string::npos);
  }
  BOOST_TEST(made.impl().last.app_id.empty());
}

BOOST_AUTO_TEST_CASE(errors_of_the_scheduler_are_statuses) {
  Made<Signalling> made;
  BOOST_TEST(made.send({"app-9", 10, {}}) == SLIPWAY_E_NOT_FOUND);
  BOOST_TEST(made.error.message == "no app app-9");
}

BOOST_AUTO_TEST_CASE(a_host_that_stops_gets_no_more_results) {
  Made<Signalling> made;
  BOOST_TEST(made.send({"app-1", 10, {}}, 1) == SLIPWAY_E_CANCELLED);
  BOOST_TEST(made.results.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_scheduler_without_the_ability_sends_no_signals) {
  Made<LittleScheduler> made;
  BOOST_TEST(made.send({"app-1", 10, {}}) == SLIPWAY_E_UNIMPLEMENTED);
  BOOST_TEST(made.error.message == "this scheduler sends no signals");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::abi
