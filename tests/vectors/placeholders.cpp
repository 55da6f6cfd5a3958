#include "tests/vectors/placeholders.hpp"

#include <string_view>

namespace slipway::vectors {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned char byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

// What the first byte of a UTF-8 sequence determines.
struct Lead {
  std::size_t length;  // of the sequence, in bytes; 0 if no sequence starts with the byte
  unsigned char low;   // the bounds of the second byte
  unsigned char high;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte >= 0xc2 && byte <= 0xdf) return {2, 0x80, 0xbf};
  if (byte == 0xe0) return {3, 0xa0, 0xbf};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte >= 0xe1 && byte <= 0xef) return {3, 0x80, 0xbf};
  if (byte == 0xf0) return {4, 0x90, 0xbf};
  if (byte >= 0xf1 && byte <= 0xf3) return {4, 0x80, 0xbf};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

}  // namespace

std::string replaced(std::string_view text, const Replacements& replacements) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::pair<std::string, std::string>* found = nullptr;
    for (const auto& replacement : replacements) {
      const std::string& from = replacement.first;
      if (from.empty() || text.substr(i, from.size()) != from) continue;
      found = &replacement;
      break;
    }
    if (found == nullptr) {
      out.push_back(text[i++]);
    } else {
      out += found->second;
      i += found->first.size();
    }
  }
  return out;
}

json::value replaced(const json::value& value, const Replacements& replacements) {
  if (value.is_string())
    return json::value(json::string(replaced(std::string_view(value.get_string()), replacements)));
  if (value.is_array()) {
    json::array out;
    for (const json::value& item : value.get_array()) out.push_back(replaced(item, replacements));
    return out;
  }
  if (!value.is_object()) return value;
  json::object out;
  for (const auto& entry : value.get_object()) {
    out.emplace(replaced(std::string_view(entry.key()), replacements),
                replaced(entry.value(), replacements));
  }
  return out;
}

std::string as_utf8(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size();) {
    const Lead lead = lead_of(byte_at(bytes, i));
    std::size_t good = lead.length == 0 ? 0 : 1;
    if (lead.length > 1 && byte_at(bytes, i + 1) >= lead.low &&
        byte_at(bytes, i + 1) <= lead.high) {
      good = 2;
      while (good < lead.length && (byte_at(bytes, i + good) & 0xc0) == 0x80) ++good;
    }
    if (good == lead.length && good > 0) {
      out.append(bytes.substr(i, good));
      i += good;
    } else {
      out.append(kReplacement);
      i += good > 0 ? good : 1;
    }
  }
  return out;
}

}  // namespace slipway::vectors
