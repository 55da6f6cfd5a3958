// Prints how many nanoseconds of processor time one operation of boundary_scheduler.cpp takes, and
// for `log` how many one line takes.
//
// Usage: bench-boundary call|describe|log contract|virtual
//
// `contract`: through the C table of a plug-in, with the results copied as the host copies them.
// `virtual`: as a virtual function of the same object.
#include <malloc.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "slipway/detail/log_views.hpp"
#include "slipway/detail/scheduler_object.hpp"
#include "slipway/detail/status_views.hpp"
#include "slipway/plugin.hpp"

extern "C" const slipway_plugin slipway_plugin_v1;

namespace {

namespace abi = slipway::abi;

constexpr int kLines = 1000;  // lines of one log_next, as in boundary_scheduler.cpp

void require(bool holds) {
  if (!holds) std::abort();
}

slipway_host plain_host() {
  auto out = abi::sized<slipway_host>();
  out.error_set = [](slipway_error*, slipway_status, slipway_str, slipway_str, slipway_str) {};
  out.cancel_requested = [](const slipway_cancel*) { return 0; };
  return out;
}

slipway_status take_description(void* out, const slipway_description* description) {
  *static_cast<slipway::Description*>(out) = abi::read(*description);
  return SLIPWAY_OK;
}

slipway_status take_chunk(void* out, const slipway_log_chunk* chunk) {
  static_cast<std::string*>(out)->append(abi::read(*chunk).bytes);
  return SLIPWAY_OK;
}

/// The scheduler of boundary_scheduler.cpp, with each operation in both ways.
class Subject {
 public:
  Subject() {
    const slipway_provider& provider =
        *SLIPWAY_AT(slipway_plugin_v1.providers, slipway_provider, 0);
    auto args = abi::sized<slipway_create_args>();
    args.entry = args.name = provider.name;
    args.config_json = abi::view("{}");
    void* made = nullptr;
    require(provider.create(&host_, &call_, &args, &made, nullptr) == SLIPWAY_OK);
    object_ = static_cast<slipway_scheduler*>(made);
    auto query = abi::sized<slipway_log_query>();
    query.app_id = kId;
    require(object_->vtbl->log_open(object_, &call_, &query, &iterator_, nullptr) == SLIPWAY_OK);
    lines_ = direct().log_open({}, context_);
  }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  ~Subject() {
    object_->vtbl->log_close(iterator_);
    object_->vtbl->destroy(object_);
  }

  void call_contract() {
    std::int32_t found = 0;
    require(object_->vtbl->exists(object_, &call_, kId, &found, nullptr) == SLIPWAY_OK &&
            found != 0);
  }
  void call_virtual() { require(direct().exists(abi::text(kId), context_)); }

  void describe_contract() {
    slipway::Description app;
    auto opts = abi::sized<slipway_describe_opts>();
    opts.want = SLIPWAY_WANT_REPLICAS;
    require(object_->vtbl->describe(object_, &call_, kId, &opts, &take_description, &app,
                                    nullptr) == SLIPWAY_OK &&
            !app.roles.empty());
  }
  void describe_virtual() {
    require(direct().describe(abi::text(kId), SLIPWAY_WANT_REPLICAS, context_).has_value());
  }

  void log_contract() {
    text_.clear();
    require(object_->vtbl->log_next(iterator_, 0, &take_chunk, &text_, nullptr) == SLIPWAY_OK);
  }
  void log_virtual() {
    text_.clear();
    lines_->next(0, [this](const slipway::LogChunk& chunk) { text_.append(chunk.bytes); });
  }

 private:
  static constexpr slipway_str kId = {"app-1", 5};

  slipway::Scheduler& direct() { return *abi::object(object_).impl; }

  const slipway_host host_ = plain_host();
  const slipway_call call_ = abi::sized<slipway_call>();
  const slipway::Call context_{&call_, &host_, nullptr};
  slipway_scheduler* object_ = nullptr;
  slipway_log_iter* iterator_ = nullptr;
  std::unique_ptr<slipway::LogIterator> lines_;
  std::string text_;
};

double processor_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/// Returns the mean processor time of `times` operations, in nanoseconds.
template <class Operation>
double measure(long times, Operation operation) {
  Subject subject;
  for (long i = 0; i < times / 10; ++i) (subject.*operation)();  // fills the caches
  const double start = processor_ns();
  for (long i = 0; i < times; ++i) (subject.*operation)();
  return (processor_ns() - start) / static_cast<double>(times);
}

/// Makes the process keep freed memory. Otherwise each large buffer would get new pages from the
/// kernel, which cost more than its copy.
void keep_freed_memory() {
  constexpr int kLarge = 1 << 30;
  ::mallopt(M_MMAP_THRESHOLD, kLarge / 32);  // 32 MiB, the most that glibc accepts
  ::mallopt(M_TRIM_THRESHOLD, kLarge);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr long kCalls = 5'000'000, kDescribes = 50, kReads = 500;
  if (argc != 3) return 2;
  keep_freed_memory();
  const std::string operation = argv[1];
  const bool direct = std::strcmp(argv[2], "virtual") == 0;
  double ns = 0;
  if (operation == "call") {
    ns = measure(kCalls, direct ? &Subject::call_virtual : &Subject::call_contract);
  } else if (operation == "describe") {
    ns = measure(kDescribes, direct ? &Subject::describe_virtual : &Subject::describe_contract);
  } else if (operation == "log") {
    ns = measure(kReads, direct ? &Subject::log_virtual : &Subject::log_contract) / kLines;
  } else {
    return 2;
  }
  std::printf("%.3f\n", ns);
  return 0;
}
