#include "sdk/support/signal_name.hpp"

#include <csignal>
#include <cstring>

#include "sdk/support/ascii_case.hpp"
#include "sdk/support/plain_number.hpp"
#include "slipway/signals.hpp"

namespace slipway {

namespace {

constexpr std::string_view kPrefix = "SIG";
constexpr std::string_view kFirstRealtime = "RTMIN";
constexpr std::string_view kLastRealtime = "RTMAX";

struct Alias {
  std::string_view name;
  int signal;
};
/// Second names, which sigabbrev_np() does not have.
constexpr Alias kAliases[] = {{"IOT", SIGIOT}, {"CLD", SIGCHLD}, {"IO", SIGIO}};

/// Returns the signal RTMIN, RTMIN+N, RTMAX or RTMAX-N; nullopt for other names and for signals
/// beyond RTMIN and RTMAX.
std::optional<int> realtime_signal(std::string_view name) {
  const bool from_first = name.starts_with(kFirstRealtime);
  if (!from_first && !name.starts_with(kLastRealtime)) return std::nullopt;
  const std::string_view rest = name.substr(kFirstRealtime.size());
  if (rest.empty()) return from_first ? SIGRTMIN : SIGRTMAX;
  if (rest.front() != (from_first ? '+' : '-')) return std::nullopt;
  const auto distance = plain_number<int>(rest.substr(1));
  if (!distance || *distance < 0 || *distance > SIGRTMAX - SIGRTMIN) return std::nullopt;
  return from_first ? SIGRTMIN + *distance : SIGRTMAX - *distance;
}

std::optional<int> named_signal(std::string_view name) {
  for (int signal = kFirstSignal; signal < SIGRTMIN; ++signal) {
    const char* known = ::sigabbrev_np(signal);
    if (known != nullptr && name == known) return signal;
  }
  for (const Alias& alias : kAliases) {
    if (name == alias.name) return alias.signal;
  }
  return realtime_signal(name);
}

}  // namespace

std::string signal_name(int signal) {
  if (signal == SIGRTMIN) return "SIGRTMIN";
  if (signal > SIGRTMIN && signal <= SIGRTMAX)
    return "SIGRTMIN+" + std::to_string(signal - SIGRTMIN);
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

std::optional<int> signal_number(std::string_view text) {
  if (const auto number = plain_number<int>(text))
    return *number >= kFirstSignal && *number <= kLastSignal ? number : std::nullopt;
  std::string name = upper_case(text);
  if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
  return named_signal(name);
}

std::vector<std::string> signal_names() {
  std::vector<std::string> out;
  for (int signal = kFirstSignal; signal < SIGRTMIN; ++signal) {
    if (const char* known = ::sigabbrev_np(signal)) out.emplace_back(known);
  }
  for (const Alias& alias : kAliases) out.emplace_back(alias.name);
  out.emplace_back(kFirstRealtime);
  out.emplace_back(kLastRealtime);
  return out;
}

}  // namespace slipway
