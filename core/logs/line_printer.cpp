#include "core/logs/line_printer.hpp"

#include <array>

#include "core/logs/time_text.hpp"
#include "slipway/json_text.hpp"
#include "slipway/visible_text.hpp"

namespace slipway::logs {

namespace {

constexpr std::array<std::string_view, 6> kColors = {"\x1b[36m", "\x1b[33m", "\x1b[32m",
                                                     "\x1b[35m", "\x1b[34m", "\x1b[31m"};
constexpr std::string_view kReset = "\x1b[0m";
constexpr std::string_view kOfApp = "app";  // a replica's prefix has a '/', so it differs

std::string_view color_of(const LogLine& line) {
  std::size_t hash = static_cast<std::size_t>(line.replica) + line.app;
  for (const char c : line.role) hash = hash * 31 + static_cast<unsigned char>(c);
  return kColors[hash % kColors.size()];
}

void append_json(const LogLine& line, const LineStyle& style, std::string& out) {
  std::string_view text = line.text;
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  out += "{\"role\":";
  out += line.role.empty() ? "null" : visible_json(json_quote(line.role));
  out += ",\"replica\":";
  out += line.replica < 0 ? "null" : std::to_string(line.replica);
  out += std::string(",\"stream\":\"") + to_string(line.stream) + "\",\"time\":";
  out += line.time ? json_quote(time_text(*line.time)) : "null";
  out += ",\"line\":" + visible_json(json_quote(text));
  if (line.app < style.apps.size())
    out += ",\"handle\":" + visible_json(json_quote(style.apps[line.app].handle));
  out += "}\n";
}

}  // namespace

std::string prefix_of(const LogLine& line, const LineStyle& style) {
  std::string prefix;
  if (style.json) return prefix;
  if (style.timestamps && line.time) prefix += local_time_text(*line.time) + " ";
  if (style.prefix) {
    if (style.color) prefix += color_of(line);
    const bool names_app = style.apps.size() > 1;
    if (names_app) prefix += visible_line(style.apps[line.app].id);
    if (line.role.empty()) {
      if (!names_app) prefix += kOfApp;
    } else {
      prefix += (names_app ? "/" : "") + visible_line(line.role);
      if (line.replica >= 0) prefix += "/" + std::to_string(line.replica);
    }
    prefix += " ";
    if (style.color) prefix += kReset;
  }
  return prefix;
}

void append_prefixed(std::string_view prefix, std::string_view text, std::string& out) {
  // A line that starts with '\r' overwrites itself, so its prefix goes after the '\r'.
  if (text.empty() || text.front() != '\r') out.append(prefix);
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    if (end == std::string_view::npos) break;
    out.append(text.substr(0, end + 1));
    const bool is_final_newline = text[end] == '\n' && end + 1 == text.size();
    if (!is_final_newline) out.append(prefix);
    text.remove_prefix(end + 1);
  }
  out.append(text);
}

void print_line(const LogLine& line, const LineStyle& style, std::string& out) {
  if (style.json) {
    append_json(line, style, out);
    return;
  }
  if (!style.prefix && !style.timestamps) {
    out.append(line.text);
    return;
  }
  append_prefixed(prefix_of(line, style), line.text, out);
}

}  // namespace slipway::logs
