#include "plugins/docker/engine/engine.hpp"

#include <poll.h>

#include <algorithm>
#include <list>
#include <optional>
#include <utility>

#include "sdk/support/plain_number.hpp"
#include "slipway/config.hpp"

namespace slipway::docker {

namespace {

constexpr std::size_t kBodyLimit = std::size_t{256} << 20;  // bytes; protects the memory
constexpr int kOldestMinor = 40;  // 1.40, of Docker 19.03, is the first with requests for GPUs

/// Throws Error kPrecondition if the engine speaks only older versions of the API. An engine that
/// does not report its version is assumed to be recent.
void check_version(const Answer& answer) {
  std::string_view text = answer.api_version;
  const auto major = take_plain_number<int>(text);
  if (!major || text.empty()) return;
  text.remove_prefix(1);
  const auto minor = take_plain_number<int>(text);
  if (!minor || *major > 1 || (*major == 1 && *minor >= kOldestMinor)) return;
  throw Error(Code::kPrecondition,
              "the Docker engine is too old: it speaks version " + answer.api_version +
                  " of the API, and Slipway needs 1.40",
              "update the engine to Docker 19.03 or later");
}

/// A connection, and the requests that go over it one after the other.
class Lane {
 public:
  explicit Lane(const std::string& socket) : connection_(socket) {}

  void add(const HttpRequest& request, Answer& answer) {
    connection_.send(request);
    waiting_.push_back(&answer);
  }
  bool is_done() const { return waiting_.empty(); }
  pollfd polled() const { return {connection_.fd(), connection_.events(), 0}; }

  /// Returns whether something arrived.
  bool serve(short events) {
    if ((events & POLLOUT) != 0) connection_.write();
    if ((events & (POLLIN | POLLHUP | POLLERR)) == 0) return false;
    const std::size_t before = arrived_.size();
    const bool is_open = connection_.read(arrived_);
    const bool has_arrived = arrived_.size() > before;
    parse_arrived();
    if (is_open) return has_arrived;
    while (!is_done()) {  // ends after one answer, as put_end() throws if no byte of the next came
      current_parser().put_end();
      finish_answer();
    }
    return true;
  }

 private:
  /// Returns the parser of the first answer that is not complete.
  AnswerParser& current_parser() {
    if (!parser_) {
      Answer& answer = *waiting_.front();
      parser_.emplace(kBodyLimit, [&answer](std::string_view piece) { answer.body += piece; });
    }
    return *parser_;
  }
  /// Stores the answer if it is complete.
  void finish_answer() {
    if (!parser_ || !parser_->is_done()) return;
    Answer head = parser_->head();
    waiting_.front()->status = head.status;
    waiting_.front()->api_version = std::move(head.api_version);
    check_version(*waiting_.front());
    waiting_.pop_front();
    parser_.reset();
  }
  void parse_arrived() {
    while (!arrived_.empty() && !is_done()) {
      const std::size_t used = current_parser().put(arrived_);
      arrived_.erase(0, used);
      const std::size_t left = waiting_.size();
      finish_answer();
      if (used == 0 && waiting_.size() == left) break;
    }
  }

  Connection connection_;
  std::string arrived_;          // bytes that are not parsed yet
  std::deque<Answer*> waiting_;  // answers that are not complete, in the order of the requests
  std::optional<AnswerParser> parser_;
};

/// Waits until a lane can read or write, and lets it. Returns whether something arrived.
bool serve_once(std::list<Lane>& lanes, int wait_ms, int cancel_fd) {
  std::vector<pollfd> fds = {{cancel_fd, POLLIN, 0}};
  for (const Lane& lane : lanes) {
    fds.push_back(lane.polled());
    if (lane.is_done()) fds.back().fd = -1;
  }
  ::poll(fds.data(), fds.size(), wait_ms);
  bool has_arrived = false;
  auto polled = fds.begin();
  for (Lane& lane : lanes) {
    ++polled;
    if (!lane.is_done() && polled->revents != 0)
      has_arrived = lane.serve(polled->revents) || has_arrived;
  }
  return has_arrived;
}

bool all_done(const std::list<Lane>& lanes) {
  return std::all_of(lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.is_done(); });
}

}  // namespace

std::vector<Answer> Engine::ask_all(const std::vector<HttpRequest>& requests, const Call& call,
                                    std::chrono::milliseconds silence,
                                    std::size_t connections) const {
  std::vector<Answer> answers(requests.size());
  std::list<Lane> lanes;
  for (std::size_t i = 0; i < std::min(connections, requests.size()); ++i)
    lanes.emplace_back(socket_);
  auto lane = lanes.begin();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    lane->add(requests[i], answers[i]);
    if (++lane == lanes.end()) lane = lanes.begin();
  }
  Patience patience(call, silence);
  while (!all_done(lanes)) {
    if (serve_once(lanes, patience.left_ms(), patience.cancel_fd())) patience.refresh();
  }
  return answers;
}

Answer Engine::ask(const HttpRequest& request, const Call& call,
                   std::chrono::milliseconds silence) const {
  return ask_all({request}, call, silence).front();
}

std::unique_ptr<AnswerStream> Engine::open(const HttpRequest& request, const Call& call,
                                           std::chrono::milliseconds silence) const {
  return std::make_unique<AnswerStream>(socket_, request, Patience(call, silence));
}

void Engine::order(const std::vector<HttpRequest>& requests, const Call& call,
                   std::chrono::milliseconds time_limit) const {
  for (std::size_t first = 0; first < requests.size(); first += kMaxOrders) {
    const std::size_t count = std::min(kMaxOrders, requests.size() - first);
    std::vector<Answer> answers(count);
    std::list<Lane> lanes;
    for (std::size_t i = 0; i < count; ++i) {
      lanes.emplace_back(socket_);
      lanes.back().add(requests[first + i], answers[i]);
    }
    const auto until = Patience::Clock::now() + time_limit;
    while (!all_done(lanes)) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(until - Patience::Clock::now()).count();
      if (left <= 0) break;
      serve_once(lanes, static_cast<int>(left), call.cancel_fd());
      call.check();
    }
  }
}

AnswerStream::AnswerStream(const std::string& socket, const HttpRequest& request, Patience patience)
    : connection_(socket),
      is_body_queued_(!request.body_source),
      parser_(AnswerParser::kUnlimited, [this](std::string_view piece) { body_ += piece; }) {
  connection_.send(request);
  while (!parser_.has_header() || is_sending()) {
    if (!is_body_queued_ && !connection_.has_unsent()) {
      std::string piece;
      is_body_queued_ = !request.body_source(piece);
      connection_.send(chunk_of(piece, is_body_queued_));
      patience.refresh();
    }
    pollfd fds[2] = {{connection_.fd(), connection_.events(), 0},
                     {patience.cancel_fd(), POLLIN, 0}};
    ::poll(fds, 2, patience.left_ms());
    if ((fds[0].revents & POLLOUT) != 0) connection_.write();
    if ((fds[0].revents & (POLLIN | POLLHUP)) == 0) continue;
    const bool is_open = connection_.read(arrived_);
    arrived_.erase(0, parser_.put(arrived_));
    if (is_open) continue;
    if (!parser_.has_header()) parser_.put_end();
    break;
  }
  head_ = parser_.head();
  check_version(head_);
}

/// Returns whether the engine has accepted the request and has not received its whole body yet.
bool AnswerStream::is_sending() const {
  return parser_.head().ok() && !parser_.is_done() &&
         (!is_body_queued_ || connection_.has_unsent());
}

bool AnswerStream::read(std::string& body) {
  bool is_open = true;
  if (body_.empty() && !parser_.is_done()) is_open = connection_.read(arrived_);
  arrived_.erase(0, parser_.put(arrived_));
  if (!is_open && body_.empty() && !parser_.is_done()) parser_.put_end();
  body += std::exchange(body_, {});
  return !parser_.is_done();
}

Answer AnswerStream::finish(Patience patience) {
  Answer out = head_;
  while (read(out.body)) {
    if (out.body.size() > kBodyLimit) break;
    pollfd fds[2] = {{connection_.fd(), POLLIN, 0}, {patience.cancel_fd(), POLLIN, 0}};
    ::poll(fds, 2, patience.left_ms());
  }
  return out;
}

Engine configured_engine(const Host& host, const std::string& config_json) {
  return Engine(engine_socket(Config(host, config_json).text("socket").value_or(std::string())));
}

}  // namespace slipway::docker
