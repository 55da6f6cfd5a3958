// bench-docker-loop SOCKET IMAGE COUNT: creates, starts and waits for COUNT containers of `true`,
// with a thread for each container and a connection for each request. Prints the milliseconds until
// the last one has ended, and removes them.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

std::string socket_path;

/// Returns the answer with its header. Ends the program if the engine refuses or does not answer.
std::string ask(const std::string& method, const std::string& target, const std::string& body) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socket_path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  std::string text = method + " " + target +
                     " HTTP/1.1\r\nHost: docker\r\nConnection: close\r\n"
                     "Content-Type: application/json\r\nContent-Length: " +
                     std::to_string(body.size()) + "\r\n\r\n" + body;
  std::string out;
  if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size())) {
    char part[4096];
    for (ssize_t n = 0; (n = ::read(fd, part, sizeof part)) > 0;)
      out.append(part, static_cast<std::size_t>(n));
  }
  ::close(fd);
  if (out.compare(0, 10, "HTTP/1.1 2") == 0) return out;
  std::fprintf(stderr, "%s %s: %s\n", method.c_str(), target.c_str(), out.c_str());
  std::exit(1);
}

/// Runs a container like those of Slipway: with an init process. Returns its id.
std::string run_one(const std::string& image) {
  const std::string made = ask("POST", "/containers/create",
                               R"({"Image":")" + image +
                                   R"(","Cmd":["true"],"HostConfig":{"NetworkMode":"host",)"
                                   R"("Init":true}})");
  const std::size_t start = made.find("\"Id\":\"") + 6;
  std::string id = made.substr(start, made.find('"', start) - start);
  ask("POST", "/containers/" + id + "/start", "");
  ask("POST", "/containers/" + id + "/wait", "");
  return id;
}

/// Calls `act` with 0 to `count` - 1, in a thread for each, and waits for all.
void in_threads(int count, const auto& act) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&act, i] { act(i); });
  for (std::thread& one : threads) one.join();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 64;
  socket_path = argv[1];
  const std::string image = argv[2];
  const int count = std::atoi(argv[3]);
  std::vector<std::string> ids(static_cast<std::size_t>(count));
  const auto begin = std::chrono::steady_clock::now();
  in_threads(count, [&](int i) { ids[static_cast<std::size_t>(i)] = run_one(image); });
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  std::printf("%f\n", took.count());
  in_threads(count,
             [&](int i) { ask("DELETE", "/containers/" + ids[static_cast<std::size_t>(i)], ""); });
  return 0;
}
