#include "tests/bench/interruption.hpp"

#include <signal.h>

#include <initializer_list>
#include <stdexcept>

namespace slipway::bench {
namespace {

volatile sig_atomic_t interrupted = 0;

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

void fail_if_interrupted() {
  if (interrupted != 0) throw std::runtime_error("interrupted");
}

}  // namespace slipway::bench
