#include "core/status/error_message.hpp"

#include "sdk/support/utf8.hpp"

namespace slipway {

namespace {

// Accepts the characters of Python names; treats bytes of UTF-8 sequences as letters.
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Returns the remote error in the message, or an empty text. A remote error is the text that the
// regular expression of TorchX matches, `\w*\('On WorkerInfo\(.+\):\n(.*\n)*'\)`.
std::string_view remote_error(std::string_view message) {
  constexpr std::string_view kStart = "('On WorkerInfo(";
  constexpr std::string_view kWorkerEnd = "):";
  constexpr std::string_view kEnd = "\n')";
  for (std::size_t at = message.find(kStart); at != std::string_view::npos;
       at = message.find(kStart, at + 1)) {
    const std::size_t worker = at + kStart.size();
    const std::size_t line_end = message.find('\n', worker);
    if (line_end == std::string_view::npos) return {};
    const std::string_view rest_of_line = message.substr(worker, line_end - worker);
    if (rest_of_line.size() <= kWorkerEnd.size() || !rest_of_line.ends_with(kWorkerEnd)) continue;
    const std::size_t end = message.rfind(kEnd);
    if (end == std::string_view::npos || end < line_end) continue;
    std::size_t from = at;
    while (from > 0 && is_word(message[from - 1])) --from;
    return message.substr(from, end + kEnd.size() - from);
  }
  return {};
}

// Returns the first nonempty line before a line that starts with `Exception`, or an empty text.
std::string_view line_before_exception(std::string_view message) {
  constexpr std::string_view kException = "\nException";
  for (std::size_t at = message.find(kException); at != std::string_view::npos;
       at = message.find(kException, at + 1)) {
    const std::size_t newline = at == 0 ? std::string_view::npos : message.rfind('\n', at - 1);
    const std::size_t from = newline == std::string_view::npos ? 0 : newline + 1;
    if (from < at) return message.substr(from, at - from);
  }
  return {};
}

}  // namespace

std::string reduce_error_message(std::string_view message) {
  if (const std::string_view remote = remote_error(message); !remote.empty()) message = remote;
  if (const std::string_view line = line_before_exception(message); !line.empty()) message = line;
  return std::string(message);
}

std::vector<std::string> wrap_error_message(std::string_view message, std::size_t width) {
  std::vector<std::string> out;
  std::size_t start = 0;
  std::size_t characters = 0;
  std::size_t next_break = width;
  for (std::size_t i = 0; i < message.size(); ++i) {
    if (message[i] == ' ' && characters >= next_break) {
      out.emplace_back(message.substr(start, i - start));
      start = i + 1;
      next_break = characters + width;
    }
    if (!continues_utf8(message[i])) ++characters;
  }
  out.emplace_back(message.substr(start));
  return out;
}

}  // namespace slipway
