#include "plugins/python_components/python_call.hpp"

#include <dlfcn.h>
#include <sys/socket.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <utility>

#include "slipway/hosted_resources.hpp"
#include "slipway/json_text.hpp"
#include "slipway/lines.hpp"
#include "slipway/owned_fd.hpp"
#include "slipway/program.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::python {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t kMaxOutput = std::size_t{64} << 20;
constexpr std::size_t kMaxQuestion = std::size_t{1} << 20;
constexpr std::size_t kPieceBytes = 100'000;  // Linux limits a word to 128 KiB
constexpr std::size_t kMaxLines = 1000;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Answers questions of the Python process: {"resource": NAME, "optional": BOOL}, one in each line.
class Questions {
 public:
  Questions(const Host& host, const Call& call) : host_(host), call_(call) {
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
      throw Error(Code::kUnavailable, "no descriptor is left for a Python process");
    ours_ = OwnedFd(fds[0]);
    theirs_ = OwnedFd(fds[1]);
  }

  int ours() const { return ours_.get(); }
  int theirs() const { return theirs_.get(); }

  bool answer() {
    char buffer[8192];
    const ssize_t count = ::recv(ours_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (count <= 0) return count < 0 && (errno == EINTR || errno == EAGAIN);
    asked_.append(buffer, static_cast<std::size_t>(count));
    for (std::size_t end; (end = asked_.find('\n')) != std::string::npos;) {
      send(answer_to(asked_.substr(0, end)) + "\n");
      asked_.erase(0, end + 1);
    }
    return asked_.size() <= kMaxQuestion;
  }

 private:
  std::string answer_to(const std::string& line) {
    boost::system::error_code error;
    const json::value question = json::parse(line, error);
    const json::object* asked = error ? nullptr : question.if_object();
    const json::value* name = asked != nullptr ? asked->if_contains("resource") : nullptr;
    if (name == nullptr || !name->is_string()) return R"({"error": "not a question"})";
    const json::value* optional = asked->if_contains("optional");
    try {
      return text_of(named_resource(host_, std::string_view(name->get_string()), call_));
    } catch (const Error&) {
      throw;
    } catch (...) {  // the host's error, which is that of this call unless Python can go on
      if (optional == nullptr || optional->is_null() || !optional->as_bool()) throw;
      return R"({"error": "unknown"})";
    }
  }

  static std::string text_of(const Resource& resource) {
    json::object devices;
    for (const auto& [name, count] : resource.devices) devices[name] = count;
    std::string out = "{\"cpu\":" + to_string(resource.cpu) +
                      ",\"gpu\":" + std::to_string(resource.gpu) +
                      ",\"memMB\":" + std::to_string(resource.mem_mb) +
                      ",\"devices\":" + json::serialize(devices);
    for (const auto& [key, text] : {std::pair("capabilities", &resource.capabilities_json),
                                    std::pair("tags", &resource.tags_json)})
      out += std::string(",\"") + key + "\":" + (text->empty() ? "{}" : *text);
    return out + "}";
  }

  void send(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t count =
          ::send(ours_.get(), text.data() + done, text.size() - done, MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return;  // the process has ended, which run_program() reports
      done += static_cast<std::size_t>(count);
    }
  }

  const Host& host_;
  const Call& call_;
  OwnedFd ours_;
  OwnedFd theirs_;
  std::string asked_;
};

std::chrono::milliseconds time_left(const Call& call, std::chrono::milliseconds limit) {
  if (call.deadline_ns() == 0) return limit;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t left =
      call.deadline_ns() - (static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec);
  return std::clamp(std::chrono::milliseconds(left / 1'000'000), std::chrono::milliseconds(0),
                    limit);
}

void report_output(const Host& host, const std::string& shown, const std::string& printed) {
  std::size_t number = 0;
  for (std::string_view line : split_lines(printed)) {
    line = trimmed(line);
    if (line.empty()) continue;
    if (++number > kMaxLines) {
      host.log(LogLevel::kInfo, shown + " prints more lines, which are not shown");
      return;
    }
    host.log(LogLevel::kInfo, shown + " prints: " + visible_line(line));
  }
}

Code code_named(std::string_view name) {
  if (name == "not_found") return Code::kNotFound;
  if (name == "usage") return Code::kUsage;
  if (name == "precondition") return Code::kPrecondition;
  return Code::kInvalid;
}

std::string text_member(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(std::string_view(value->get_string()))
                                                : std::string();
}

json::object answer_in(const ProgramResult& result, const std::string& shown) {
  json::parse_options options;
  options.max_depth = 200;
  boost::system::error_code error;
  json::value answer = json::parse(result.out, error, {}, options);
  if (error || !answer.is_object()) {
    const int status = result.status;
    throw Error(Code::kInvalid,
                shown +
                    (status > 128 ? " ended Python with signal " + std::to_string(status - 128)
                                  : " ended Python with status " + std::to_string(status)) +
                    " before it returned an app");
  }
  if (const json::value* failure = answer.get_object().if_contains("error")) {
    const json::object& told = failure->as_object();
    throw Error(code_named(text_member(told, "code")), text_member(told, "message"),
                text_member(told, "hint"));
  }
  return std::move(answer.get_object());
}

}  // namespace

std::string interpreter() {
  if (std::string chosen = environment("SLIPWAY_PYTHON"); !chosen.empty()) return chosen;
  if (const std::string active = environment("VIRTUAL_ENV"); !active.empty())
    return active + "/bin/python3";
  return "python3";
}

std::string package_directory() {
  Dl_info here{};
  if (::dladdr(reinterpret_cast<const void*>(&package_directory), &here) == 0 ||
      here.dli_fname == nullptr)
    throw Error(Code::kInternal, "the plug-in cannot find its Python files");
  return (fs::path(here.dli_fname).parent_path() / "../../share/slipway/python")
      .lexically_normal()
      .string();
}

std::string cache_directory() {
  std::string base = environment("XDG_CACHE_HOME");
  if (base.empty() || base.front() != '/') {
    const std::string home = environment("HOME");
    if (home.empty()) return {};
    base = home + "/.cache";
  }
  return base + "/slipway/python";
}

json::object ask_python(const Host& host, const Call& call, const PythonSettings& settings,
                        json::object request, const std::string& shown) {
  const std::string python = interpreter();
  StrList words = {python};
  if (settings.isolated) words.emplace_back("-s");
  words.push_back(package_directory() + "/bridge.py");
  request["shown"] = shown;
  request["cache"] = cache_directory();
  const std::string text = json::serialize(request);
  for (std::size_t from = 0; from < text.size(); from += kPieceBytes)
    words.push_back(text.substr(from, kPieceBytes));

  Questions questions(host, call);
  ProgramLimits limits{time_left(call, settings.time)};
  limits.output = kMaxOutput;
  limits.cancel_fd = call.cancel_fd();
  limits.channel = questions.theirs();
  limits.questions = questions.ours();
  const std::function<bool()> answer = [&questions] { return questions.answer(); };
  limits.on_question = &answer;
  const ProgramResult result = run_program(words, limits);
  report_output(host, shown, result.err);
  switch (result.end) {
    case ProgramResult::End::kExited: return answer_in(result, shown);
    case ProgramResult::End::kNotFound:
      throw Error(Code::kPrecondition, "there is no " + python + ", which runs Python components",
                  "install python3, or set SLIPWAY_PYTHON");
    case ProgramResult::End::kTooMuch:
      throw Error(Code::kInvalid, shown + " printed more than 64 MiB");
    case ProgramResult::End::kCancelled: throw Error(Code::kCancelled, "cancelled");
    case ProgramResult::End::kTimeout: break;
  }
  throw Error(Code::kTimeout,
              shown + " did not end within " + std::to_string(limits.time.count() / 1000) + " s",
              "it may wait for something, or have left a process behind; config.time_limit_s under "
              "[plugins.\"org.slipway.python_components\"] sets the limit");
}

}  // namespace slipway::python
