// Tests of the server of `ctl.sock`: without a free descriptor, and with a descriptor's number that
// is used again.
#include "plugins/local/supervisor/control_server.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <thread>

#include "tests/unit/descriptor_limit.hpp"
#include "tests/unit/local/engine/fixture.hpp"

namespace slipway::local {
namespace {

/// A server in the directory of the fixture, and its clients.
struct ServerFixture : AppFixture {
  ServerFixture() {
    requests.kill = [this](const std::string&) { ++kills; };
    requests.watch = [] {};
    const OwnedFd directory(::open(top().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    server.emplace(listen_control(directory.get()), requests);
  }

  OwnedFd connect() const {
    OwnedFd out(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    (top() + "/ctl.sock").copy(address.sun_path, sizeof address.sun_path - 1);
    BOOST_REQUIRE(::connect(out.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    return out;
  }

  ControlRequests requests;
  std::optional<ControlServer> server;
  int kills = 0;
};

BOOST_FIXTURE_TEST_SUITE(LocalSupervisorControlServer, ServerFixture)

BOOST_AUTO_TEST_CASE(request_that_comes_after_its_connection_needs_no_free_descriptor) {
  const OwnedFd client = connect();
  // The thread starts before the limit, because sanitizers need a descriptor for the start.
  std::promise<void> started;
  std::promise<void> accepting;
  std::thread sender([&] {
    started.set_value();
    accepting.get_future().wait();
    // Time for on_event() to accept the connection before the request comes. On a busy machine the
    // test may check the other order, which must also work.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    BOOST_TEST(::send(client.get(), "kill\n", 5, MSG_NOSIGNAL) == 5);
  });
  started.get_future().wait();
  const DescriptorLimit none(0);
  accepting.set_value();
  server->on_event();
  sender.join();
  BOOST_TEST(kills == 1);
}

BOOST_AUTO_TEST_CASE(silent_client_does_not_hold_up_the_server_without_free_descriptors) {
  const OwnedFd silent = connect();
  const OwnedFd client = connect();
  BOOST_TEST(::send(client.get(), "kill\n", 5, MSG_NOSIGNAL) == 5);
  const DescriptorLimit none(0);
  server->on_event();
  BOOST_TEST(kills == 1);
}

BOOST_AUTO_TEST_CASE(watcher_gets_no_answer_that_is_for_an_earlier_client_with_its_descriptor) {
  const auto watch = [&](const std::string& request) {
    OwnedFd client = connect();
    BOOST_TEST(::send(client.get(), request.data(), request.size(), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(request.size()));
    server->on_event();
    return client;
  };
  server->publish(1, 1);
  OwnedFd first = watch("watch\n");
  server->publish(1, 1);
  char answer[16];
  BOOST_TEST(::recv(first.get(), answer, sizeof answer, MSG_DONTWAIT) > 0);
  BOOST_TEST(::send(first.get(), "watch\n", 6, MSG_NOSIGNAL) == 6);
  server->on_event();  // waits for the next change
  first.reset();
  server->on_event();  // closes the server's end, whose number the next client gets
  const OwnedFd second = watch("state\n");
  server->publish(1, 1);
  BOOST_TEST(::recv(second.get(), answer, sizeof answer, MSG_DONTWAIT) > 0);
  BOOST_TEST(::send(second.get(), "state\n", 6, MSG_NOSIGNAL) == 6);
  server->on_event();
  server->publish(2, 1);  // a change that only the first client watched
  BOOST_TEST(::recv(second.get(), answer, sizeof answer, MSG_DONTWAIT) < 0);
}

BOOST_AUTO_TEST_CASE(watcher_without_a_free_descriptor_learns_that_the_server_is_busy) {
  const OwnedFd client = connect();
  BOOST_TEST(::send(client.get(), "watch\n", 6, MSG_NOSIGNAL) == 6);
  {
    const DescriptorLimit none(0);
    server->on_event();
  }
  char answer[16];
  const ssize_t length = ::recv(client.get(), answer, sizeof answer, MSG_DONTWAIT);
  BOOST_TEST_REQUIRE(length > 0);
  BOOST_TEST(std::string(answer, static_cast<std::size_t>(length)) == "busy\n");
  BOOST_TEST(::recv(client.get(), answer, sizeof answer, MSG_DONTWAIT) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace slipway::local
