#include "sdk/support/port_macros.hpp"

namespace slipway {

namespace {

constexpr std::string_view kOwn = "${port.";
constexpr std::string_view kOther = "${role.";
static_assert(kOwn.size() == kOther.size());  // so that parsed() removes either
constexpr std::string_view kHost = ".host";
constexpr std::string_view kPort = ".port.";

/// Returns the parts of a text that begins with kOwn or kOther and ends at the first '}', if any.
PortMacro parsed(std::string_view written) {
  PortMacro out;
  out.written = written;
  const bool is_own = written.starts_with(kOwn);
  std::string_view body = written.substr(kOwn.size());
  if (body.empty() || body.back() != '}') {
    out.is_malformed = true;
    return out;
  }
  body.remove_suffix(1);
  if (is_own) {
    out.port = body;
    out.is_malformed = body.empty();
    return out;
  }
  const std::size_t port = body.rfind(kPort);
  if (port != std::string_view::npos) {
    out.role = body.substr(0, port);
    out.port = body.substr(port + kPort.size());
    out.is_malformed = out.role.empty() || out.port.empty();
  } else {
    out.is_malformed = !body.ends_with(kHost) || body.size() == kHost.size();
    if (!out.is_malformed) out.role = body.substr(0, body.size() - kHost.size());
  }
  return out;
}

}  // namespace

std::vector<PortMacro> port_macros(std::string_view text) {
  std::vector<PortMacro> out;
  for (std::size_t at = text.find('$'); at < text.size(); at = text.find('$', at)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("$$")) {
      at += 2;
    } else if (rest.starts_with(kOwn) || rest.starts_with(kOther)) {
      const std::size_t end = rest.find('}');
      out.push_back(parsed(rest.substr(0, end == std::string_view::npos ? end : end + 1)));
      at += out.back().written.size();
    } else {
      ++at;
    }
  }
  return out;
}

std::string replace_port_macros(std::string_view text, const PortMacroValue& value) {
  std::string out;
  std::size_t done = 0;
  for (const PortMacro& macro : port_macros(text)) {
    const auto at = static_cast<std::size_t>(macro.written.data() - text.data());
    const auto found = macro.is_malformed ? std::nullopt : value(macro);
    if (!found) continue;
    out.append(text.substr(done, at - done)).append(*found);
    done = at + macro.written.size();
  }
  return out.append(text.substr(done));
}

void each_port_macro_text(Role& role, const std::function<void(std::string&)>& visit) {
  for (std::string& arg : role.args) visit(arg);
  for (auto& entry : role.env) visit(entry.second);
}

}  // namespace slipway
