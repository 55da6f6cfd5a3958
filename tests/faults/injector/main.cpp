// slipway-fault-injector --report FILE [FAULT] -- COMMAND [ARG...]: see ../README.md.
//
// FAULT is --part PART[:INSTANCE] [--calls NAME,...] [--at N] (fault.hpp), followed by
// --kill before|after [--also-warden] or --fail ERRNO [--from-then-on]. PART may be `all`.
// The injector ends with 0 whatever the exit status of COMMAND, which is in the report.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <system_error>

#include "tests/faults/injector/fault.hpp"
#include "tests/faults/injector/report.hpp"
#include "tests/faults/injector/tracer.hpp"

namespace {

// The exit statuses. The first two are those of sysexits.h, and 77 means a skipped test.
constexpr int kBadUsage = 64;
constexpr int kFailed = 70;
constexpr int kNotPermitted = 77;

}  // namespace

int main(int argc, char** argv) {
  try {
    const slipway::faults::Options options = slipway::faults::parse_options(argc, argv);
    const slipway::faults::Report report(options.report);
    slipway::faults::Tracer(options.fault, report).run(options.command);
    return 0;
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "slipway-fault-injector: %s\n", error.what());
    return kBadUsage;
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "slipway-fault-injector: %s\n", error.what());
    const int number = error.code().value();
    return number == EPERM || number == EACCES || number == ENOSYS ? kNotPermitted : kFailed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "slipway-fault-injector: %s\n", error.what());
    return kFailed;
  }
}
