#include "plugins/docker/supervisor/actions.hpp"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "plugins/docker/engine/engine.hpp"
#include "plugins/docker/request/container_plan.hpp"
#include "plugins/docker/supervisor/decision.hpp"
#include "slipway/error.hpp"
#include "tests/unit/docker/own_id.hpp"

namespace slipway::docker {

namespace {

std::string new_socket() { return std::filesystem::temp_directory_path() / own_id("engine"); }

/// Answers requests to start a container with one status and the words of the engine, and all
/// others with 204.
class RefusingEngine {
 public:
  explicit RefusingEngine(int status, std::string socket = new_socket(),
                          std::string words = "endpoint exists already")
      : socket_(std::move(socket)), status_(status), words_(std::move(words)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket_.c_str(), sizeof address.sun_path - 1);
    listener_.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    std::filesystem::remove(socket_);
    BOOST_REQUIRE(
        ::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    BOOST_REQUIRE(::listen(listener_.get(), SOMAXCONN) == 0);
    thread_ = std::thread([this] {
      for (;;) {
        const OwnedFd peer(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (peer.get() < 0) return;
        answer(peer.get());
      }
    });
  }

  RefusingEngine(const RefusingEngine&) = delete;
  RefusingEngine& operator=(const RefusingEngine&) = delete;

  ~RefusingEngine() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
    std::filesystem::remove(socket_);
  }

  const std::string& socket() const { return socket_; }

  /// Returns the paths of the requests up to now.
  std::vector<std::string> paths() const {
    const std::lock_guard lock(mutex_);
    return paths_;
  }

 private:
  void answer(int peer) {
    std::string request;
    char part[4096];
    for (ssize_t n = 0; request.find("\r\n\r\n") == std::string::npos;) {
      n = ::recv(peer, part, sizeof part, 0);
      if (n <= 0) return;
      request.append(part, static_cast<std::size_t>(n));
    }
    const std::size_t begin = request.find(' ') + 1;
    const std::string path = request.substr(begin, request.find(' ', begin) - begin);
    {
      const std::lock_guard lock(mutex_);
      paths_.push_back(path);
    }
    const bool is_start = path.ends_with("/start");
    const std::string body = is_start ? R"({"message": ")" + words_ + R"("})" : "";
    const std::string text = "HTTP/1.1 " + std::to_string(is_start ? status_ : 204) +
                             " x\r\nConnection: close\r\nContent-Type: application/json\r\n" +
                             "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    ::send(peer, text.data(), text.size(), MSG_NOSIGNAL);
  }

  std::string socket_;
  int status_;
  std::string words_;
  OwnedFd listener_;
  mutable std::mutex mutex_;
  std::vector<std::string> paths_;  // guarded by mutex_
  std::thread thread_;
};

/// Returns how many times the supervisor orders a start until it gives the container a mark.
int starts_until_marked(int status) {
  const RefusingEngine engine(status);
  Actions actions{Engine(engine.socket())};
  Container container;
  container.id = "c1";
  container.name = "app-x_w_0";
  container.status = "created";
  Decision decision;
  decision.starts = {&container};
  for (int starts = 1; starts < 10; ++starts) {
    try {
      actions.carry_out(decision);
    } catch (const Error&) {
      BOOST_TEST(engine.paths().size() == static_cast<std::size_t>(starts));
      continue;
    }
    BOOST_TEST(engine.paths().back().find("spawn_failed") != std::string::npos);
    return starts;
  }
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(DockerActions)

BOOST_AUTO_TEST_CASE(a_start_that_ends_with_an_error_of_the_engine_is_repeated) {
  BOOST_TEST(starts_until_marked(500) == Actions::kStarts);
}

BOOST_AUTO_TEST_CASE(a_start_that_the_engine_refuses_is_not_repeated) {
  BOOST_TEST(starts_until_marked(400) == 1);
}

BOOST_AUTO_TEST_CASE(a_start_without_its_network_is_repeated_a_few_times) {
  BOOST_TEST(starts_until_marked(404) == Actions::kStarts);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_taken_in_the_network_is_freed_before_the_next_start) {
  const RefusingEngine engine(403, new_socket(),
                              "endpoint with name n already exists in network n");
  Actions actions{Engine(engine.socket())};
  Container container;
  container.id = "c2";
  container.name = "app-x-w-0";
  container.status = "created";
  container.network = "app-x";
  container.labels = {{kAttemptLabel, "2"}};
  Decision decision;
  decision.starts = {&container};
  std::vector<std::string> expected;
  for (int starts = 1; starts < Actions::kStarts; ++starts) {
    BOOST_CHECK_THROW(actions.carry_out(decision), Error);
    for (const char* path : {"/containers/c2/start", "/containers/c2/rename?name=app-x-w-0.2",
                             "/networks/app-x/disconnect", "/containers/c2/rename?name=app-x-w-0"})
      expected.emplace_back(path);
  }
  actions.carry_out(decision);
  expected.insert(expected.end(),
                  {"/containers/c2/start", "/containers/c2/rename?name=app-x-w-0.2.spawn_failed"});
  BOOST_TEST(engine.paths() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_container_that_a_command_has_marked_gets_no_second_order_to_stop) {
  const RefusingEngine engine(204);
  Actions actions{Engine(engine.socket())};
  Container container;
  container.id = "c1";
  container.status = "running";
  container.mark = Mark::kCancelled;  // by a command, which sends its own grace time
  Decision decision;
  decision.stops = {{&container, Mark::kCancelled}};
  actions.carry_out(decision);
  BOOST_TEST(engine.paths().empty());
}

BOOST_AUTO_TEST_CASE(an_order_to_stop_that_did_not_reach_the_engine_is_sent_again) {
  const std::string socket = new_socket();
  Actions actions{Engine(socket)};
  Container container;
  container.id = "c1";
  container.status = "running";
  Decision decision;
  decision.stops = {{&container, Mark::kCancelled}};
  BOOST_CHECK_THROW(actions.carry_out(decision), Error);
  const RefusingEngine engine(204, socket);
  actions.carry_out(decision);
  BOOST_TEST(engine.paths().size() == 2u);  // the mark and the order
  BOOST_TEST(engine.paths().back().ends_with("/containers/c1/stop"));
  container.mark = Mark::kCancelled;
  actions.carry_out(decision);
  BOOST_TEST(engine.paths().size() == 2u);
}

BOOST_AUTO_TEST_CASE(orders_of_many_containers_need_few_descriptors) {
  rlimit before{};
  BOOST_REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const RefusingEngine engine(204);
  std::vector<HttpRequest> requests;
  std::vector<std::string> expected;
  for (int i = 0; i < 600; ++i) {
    requests.push_back(post_request("/containers/c" + std::to_string(i) + "/stop"));
    expected.push_back(requests.back().target);
  }
  const rlimit few{512, before.rlim_max};
  BOOST_REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  BOOST_CHECK_NO_THROW(Engine(engine.socket()).order(requests, Call(), std::chrono::minutes(5)));
  ::setrlimit(RLIMIT_NOFILE, &before);
  std::vector<std::string> ordered = engine.paths();
  std::sort(ordered.begin(), ordered.end());
  std::sort(expected.begin(), expected.end());
  BOOST_TEST(ordered == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace slipway::docker
