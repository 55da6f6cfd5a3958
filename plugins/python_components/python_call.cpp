#include "plugins/python_components/python_call.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "plugins/python_components/component_cache.hpp"
#include "plugins/python_components/python_channel.hpp"
#include "sdk/support/installed_helper.hpp"
#include "sdk/support/time_left.hpp"
#include "slipway/lines.hpp"
#include "slipway/program.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::python {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t kMaxOutput = std::size_t{64} << 20;  // bytes on stdout, and on stderr
constexpr std::size_t kPieceBytes = 100'000;               // Linux limits a word to 128 KiB
constexpr std::size_t kMaxReported = 64 * 1024;            // bytes of the output in messages
constexpr std::size_t kMaxReportedOfLine = 4096;

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Returns at most the first `most` bytes of a text in UTF-8, and cuts no character in two.
std::string_view start_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80U) --most;
  return text.substr(0, most);
}

// Reports the start of what the process printed, which may be kMaxOutput in one line.
void report_output(const Host& host, LogLevel level, const std::string& subject,
                   const std::string& printed) {
  std::size_t room = kMaxReported;
  for (std::string_view line : split_lines(printed)) {
    line = trimmed(line);
    if (line.empty()) continue;
    const std::string_view start = start_of(line, kMaxReportedOfLine);
    const std::size_t size = subject.size() + start.size();
    if (size > room) {
      host.log(level, subject + " prints more lines, which are not shown");
      return;
    }
    room -= size;
    host.log(level,
             subject + " prints: " + visible_line(start) +
                 (start.size() < line.size() ? "… (the rest of the line is not shown)" : ""));
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

// Throws the error for a process without an answer. Only a request that runs a component blames
// `subject`.
[[noreturn]] void fail_without_answer(const ProgramResult& result, const std::string& subject,
                                      bool is_of_component) {
  const std::string how = result.signal != 0 ? " with signal " + std::to_string(result.signal)
                                             : " with status " + std::to_string(result.status);
  throw Error(Code::kInvalid, is_of_component
                                  ? subject + " ended Python" + how + " before it returned an app"
                                  : subject + ": Python ended" + how + " before it answered");
}

// Returns the answer. Throws the error that it reports instead.
json::object without_failure(json::object answer) {
  const json::value* failure = answer.if_contains("error");
  if (failure == nullptr) return answer;
  const json::object& fields = failure->as_object();
  throw Error(code_named(text_member(fields, "code")), text_member(fields, "message"),
              text_member(fields, "hint"));
}

}  // namespace

std::string interpreter() {
  if (std::string chosen = environment_variable("SLIPWAY_PYTHON"); !chosen.empty()) return chosen;
  if (const std::string active = environment_variable("VIRTUAL_ENV"); !active.empty())
    return active + "/bin/python3";
  return "python3";
}

json::object module_search_inputs(const PythonSettings& settings) {
  std::error_code unknown;
  json::object out{{"cwd", fs::current_path(unknown).string()}, {"isolated", settings.isolated}};
  for (const char* name : {"SLIPWAY_PYTHON", "VIRTUAL_ENV", "PATH", "HOME", "PYTHONPATH",
                           "PYTHONHOME", "PYTHONNOUSERSITE", "PYTHONUSERBASE"})
    out[name] = environment_variable(name);
  return out;
}

std::string cache_directory() {
  std::string base = environment_variable("XDG_CACHE_HOME");
  if (base.empty() || base.front() != '/') {
    const std::string home = environment_variable("HOME");
    if (home.empty()) return {};
    base = home + "/.cache";
  }
  return base + "/slipway/python";
}

json::object ask_python(const Host& host, const Call& call, const PythonSettings& settings,
                        json::object request, const std::string& subject) {
  const std::string python = interpreter();
  StrList words = {python};
  if (settings.isolated) words.emplace_back("-s");
  words.push_back(installed_script("bridge.py"));
  request["subject"] = subject;
  const std::string cache = cache_directory();
  request["cache"] = !cache.empty() && make_own_cache(cache) ? cache : std::string();
  const std::string text = json::serialize(request);
  for (std::size_t from = 0; from < text.size(); from += kPieceBytes)
    words.push_back(text.substr(from, kPieceBytes));

  PythonChannel channel(host, call, subject);
  ProgramLimits limits{time_left(call, settings.time_limit)};
  limits.output = kMaxOutput;
  limits.cancel_fd = call.cancel_fd();
  limits.channel = channel.theirs();
  limits.questions = channel.ours();
  const std::function<bool()> receive = [&channel] { return channel.receive(); };
  limits.on_question = &receive;
  const ProgramResult result = run_program(words, limits);
  std::optional<json::object> answer = channel.answer();
  // Requests that run no component print only what Python itself, its startup files and the
  // functions of named resources print.
  const bool is_of_component = request.at("op").as_string() == "build";
  const LogLevel level = is_of_component || !answer ? LogLevel::kInfo : LogLevel::kDebug;
  report_output(host, level, subject, result.out + result.err);
  switch (result.end) {
    case ProgramResult::End::kExited:
      if (!answer) fail_without_answer(result, subject, is_of_component);
      return without_failure(*std::move(answer));
    case ProgramResult::End::kNotFound:
      throw Error(Code::kPrecondition, "there is no " + python + ", which runs Python components",
                  "install python3, or set SLIPWAY_PYTHON");
    case ProgramResult::End::kTooMuch:
      throw Error(Code::kInvalid, subject + " printed more than 64 MiB");
    case ProgramResult::End::kCancelled: throw Error(Code::kCancelled, "cancelled");
    case ProgramResult::End::kTimeout: break;
  }
  const std::string cause = "it may wait for something, or have left a process behind";
  if (limits.time < settings.time_limit)  // the limit of the call, which the host names
    throw Error(Code::kTimeout, subject + " did not end in time", cause);
  throw Error(Code::kTimeout,
              subject + " did not end within " + std::to_string(limits.time.count() / 1000) + " s",
              cause +
                  "; config.time_limit_s under [plugins.\"org.slipway.python_components\"] sets "
                  "the limit");
}

}  // namespace slipway::python
