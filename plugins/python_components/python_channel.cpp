#include "plugins/python_components/python_channel.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "sdk/support/deep_json.hpp"
#include "slipway/hosted_resources.hpp"
#include "slipway/json_text.hpp"

namespace slipway::python {

namespace {

namespace json = boost::json;

constexpr std::size_t kMaxLine = std::size_t{64} << 20;  // bytes; protects the memory
constexpr std::size_t kReadBytes = 65536;

std::string text_of(const Resource& resource) {
  json::object devices;
  for (const auto& [name, count] : resource.devices) devices[name] = count;
  std::string out =
      "{\"cpu\":" + to_string(resource.cpu) + ",\"gpu\":" + std::to_string(resource.gpu) +
      ",\"memMB\":" + std::to_string(resource.mem_mb) + ",\"devices\":" + json::serialize(devices);
  for (const auto& [key, text] : {std::pair("capabilities", &resource.capabilities_json),
                                  std::pair("tags", &resource.tags_json)})
    out += std::string(",\"") + key + "\":" + (text->empty() ? "{}" : *text);
  return out + "}";
}

[[noreturn]] void fail() {
  throw Error(Code::kUnavailable, "no descriptor is left for a Python process");
}

}  // namespace

PythonChannel::PythonChannel(const Host& host, const Call& call, std::string subject)
    : host_(host), call_(call), subject_(std::move(subject)) {
  int channel[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0) fail();
  ours_ = OwnedFd(channel[0]);
  theirs_ = OwnedFd(channel[1]);
  int lifeline[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, lifeline) != 0) fail();
  lifeline_ = OwnedFd(lifeline[0]);
  const OwnedFd their_lifeline(lifeline[1]);
  send_descriptor(their_lifeline.get());
}

/// Sends a line without text, and with it a copy of the descriptor.
void PythonChannel::send_descriptor(int fd) {
  char line = '\n';
  iovec text{&line, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof fd)] = {};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fd);
  std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  if (::sendmsg(ours_.get(), &message, MSG_NOSIGNAL) != 1) fail();
}

bool PythonChannel::receive() { return read_once() != Read::kEnd; }

std::optional<json::object> PythonChannel::answer() {
  while (!answer_ && read_once() == Read::kSome) {
  }
  return std::move(answer_);
}

PythonChannel::Read PythonChannel::read_once() {
  char buffer[kReadBytes];
  const ssize_t count = ::recv(ours_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
  if (count < 0 && errno == EINTR) return Read::kSome;
  if (count < 0 && errno == EAGAIN) return Read::kNothing;
  if (count <= 0) return Read::kEnd;
  std::size_t searched = received_.size();
  received_.append(buffer, static_cast<std::size_t>(count));
  for (std::size_t end; (end = received_.find('\n', searched)) != std::string::npos;) {
    handle(std::string_view(received_).substr(0, end));
    received_.erase(0, end + 1);
    searched = 0;
  }
  if (received_.size() > kMaxLine)
    throw Error(Code::kInvalid, "the answer of " + subject_ + " is larger than 64 MiB");
  return Read::kSome;
}

void PythonChannel::handle(std::string_view line) {
  boost::system::error_code error;
  json::value said = parse_deep_json(line, error);
  if (!error && said.is_object()) {
    json::object& object = said.get_object();
    if (json::value* answer = object.if_contains("answer");
        answer != nullptr && answer->is_object())
      return answer_.emplace(std::move(answer->get_object())), void();
    if (const json::value* name = object.if_contains("resource");
        name != nullptr && name->is_string())
      return send(resource_answer(object) + "\n");
  }
  send("{\"error\": \"not a question\"}\n");
}

std::string PythonChannel::resource_answer(const json::object& question) const {
  const json::value* optional = question.if_contains("optional");
  try {
    return text_of(
        named_resource(host_, std::string_view(question.at("resource").as_string()), call_));
  } catch (const Error&) {  // the host lacks the service or has broken its contract
    throw;
  } catch (...) {  // the host's error; it ends this call unless the resource is optional
    if (optional == nullptr || !optional->is_bool() || !optional->get_bool()) throw;
    return R"({"error": "unknown"})";
  }
}

void PythonChannel::send(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::send(ours_.get(), text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the process has shut the socket down; it gets no answer
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace slipway::python
