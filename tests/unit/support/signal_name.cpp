#include "sdk/support/signal_name.hpp"

#include <boost/test/unit_test.hpp>
#include <csignal>

namespace slipway {
namespace {

BOOST_AUTO_TEST_SUITE(SignalName)

BOOST_AUTO_TEST_CASE(a_signal_is_read_by_its_name_with_or_without_prefix_and_in_any_case) {
  for (const char* text : {"USR1", "SIGUSR1", "usr1", "sigusr1", "SigUsr1", "10"})
    BOOST_TEST(signal_number(text).value_or(0) == 10);
  BOOST_TEST(signal_number("KILL").value_or(0) == SIGKILL);
  BOOST_TEST(signal_number("CLD").value_or(0) == SIGCHLD);
  BOOST_TEST(signal_number("io").value_or(0) == SIGIO);
}

BOOST_AUTO_TEST_CASE(realtime_signals_are_counted_from_either_end) {
  BOOST_TEST(signal_number("RTMIN").value_or(0) == SIGRTMIN);
  BOOST_TEST(signal_number("SIGRTMIN+3").value_or(0) == SIGRTMIN + 3);
  BOOST_TEST(signal_number("rtmax").value_or(0) == SIGRTMAX);
  BOOST_TEST(signal_number("RTMAX-2").value_or(0) == SIGRTMAX - 2);
  BOOST_TEST(signal_number("64").value_or(0) == 64);
}

BOOST_AUTO_TEST_CASE(other_texts_are_refused) {
  for (const char* text : {"0", "65", "-1", "99999999999", "", "SIG", "SIGSIGTERM", "RTMIN-1",
                           "RTMAX+1", "RTMIN+31", "RTMIN+", "RTMINI", "10x", "USR", "signal 10"})
    BOOST_TEST(!signal_number(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(every_number_has_a_name_that_reads_back) {
  for (int signal = 1; signal <= 64; ++signal) {
    if (signal == 32 || signal == 33) continue;  // the C library reserves these
    BOOST_TEST(signal_number(signal_name(signal)).value_or(0) == signal);
  }
  BOOST_TEST(signal_name(10) == "SIGUSR1");
  BOOST_TEST(signal_name(SIGRTMIN + 3) == "SIGRTMIN+3");
  BOOST_TEST(signal_name(32) == "signal 32");
}

BOOST_AUTO_TEST_CASE(every_listed_name_is_read) {
  for (const std::string& name : signal_names()) BOOST_TEST(signal_number(name).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway
