// The configuration of a provider: [plugin.config] of its plug-in's manifest, overridden by
// [plugins."ID"] of the host's configuration files, and these by its own `config` in the manifest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipway/abi/host_text.h"
#include "slipway/detail/guard.hpp"
#include "slipway/detail/views.hpp"
#include "slipway/dict.hpp"
#include "slipway/error.hpp"
#include "slipway/host.hpp"

namespace slipway {
inline namespace sdk_1_0 {

/// Reads CreateArgs::config_json. Each function takes the key of a value, or the path of a nested
/// value ("/limits/memory", a JSON pointer of RFC 6901). It returns nullopt or an empty list if
/// there is no such value, and throws Error kConfig if the value has another type or the text is
/// not JSON. Unless the text is empty, all functions throw Error kUnimplemented if the host is too
/// old to read JSON, and kInternal if it fails for another reason, such as too little memory. Each
/// call parses the text again: call these functions when an object is created, not in loops.
/// [any thread]
class Config {
 public:
  /// `json` is an object, or empty, which is an object without members.
  Config(const Host& host, std::string json) : host_(host), json_(std::move(json)) {}

  /// Returns a text.
  std::optional<std::string> text(std::string_view key) const {
    const auto found = find(key, SLIPWAY_JSON_STRING, "a text");
    return found ? std::optional(found->text) : std::nullopt;
  }
  /// Returns a boolean.
  std::optional<bool> flag(std::string_view key) const {
    const auto found = find(key, SLIPWAY_JSON_BOOL, "true or false");
    return found ? std::optional(found->text == "true") : std::nullopt;
  }
  /// Returns a whole number from `least` to `most`. Throws Error kConfig for any other.
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t least = INT64_MIN,
                                      std::int64_t most = INT64_MAX) const {
    const auto found = find(key);
    if (!found) return std::nullopt;
    const std::int64_t number = std::strtoll(found->text.c_str(), nullptr, 10);
    if (found->kind != SLIPWAY_JSON_INTEGER || number < least || number > most)
      refuse(key, found->text,
             "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return number;
  }
  /// Returns the items of a list of texts.
  StrList texts(std::string_view key) const {
    StrList out;
    if (!find(key, SLIPWAY_JSON_ARRAY, "a list of texts")) return out;
    for (Value& item : each(pointer(key))) {
      if (item.kind != SLIPWAY_JSON_STRING) refuse(key, item.text, "a list of texts");
      out.push_back(std::move(item.text));
    }
    return out;
  }
  /// Returns the keys of an object, by default those of the whole configuration.
  StrList keys(std::string_view key = {}) const {
    StrList out;
    if (!key.empty() && !find(key, SLIPWAY_JSON_OBJECT, "a table")) return out;
    for (Value& member : each(key.empty() ? std::string() : pointer(key)))
      out.push_back(std::move(member.key));
    return out;
  }
  /// Throws Error kConfig if the configuration has a key that is not in `known`, because a misspelt
  /// key would otherwise have no effect, and no message would say so.
  void require_known(const StrList& known) const {
    for (const std::string& key : keys()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      std::string all;
      for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
      throw Error(Code::kConfig, "the plug-in's configuration: " + key + " is unknown",
                  "known: " + all + "; " + origin(key));
    }
  }

 private:
  struct Value {
    std::int32_t kind = SLIPWAY_JSON_NULL;
    std::string key;
    std::string text;
  };

  /// Returns the JSON pointer for `key`, which may already be one ("/limits/memory").
  static std::string pointer(std::string_view key) {
    if (key.empty() || key.front() == '/') return std::string(key);
    std::string out = "/";
    for (const char c : key) {
      if (c == '~' || c == '/') {
        out += c == '~' ? "~0" : "~1";
      } else {
        out += c;
      }
    }
    return out;
  }

  /// Says where users find a value. The host does not tell plug-ins which of the places it is.
  static std::string origin(std::string_view key) {
    return std::string(key) +
           " is in the plug-in's manifest, or under [plugins.\"ID\"] in a configuration file";
  }
  [[noreturn]] static void refuse(std::string_view key, const std::string& found,
                                  const std::string& expected) {
    throw Error(Code::kConfig,
                "the plug-in's configuration: " + std::string(key) + " must be " + expected +
                    ", not " + found,
                origin(key));
  }

  std::optional<Value> find(std::string_view key) const {
    std::vector<Value> out = call(&slipway_host_json::find, pointer(key));
    if (out.empty()) return std::nullopt;
    return std::move(out.front());
  }
  std::optional<Value> find(std::string_view key, std::int32_t kind, const char* expected) const {
    std::optional<Value> out = find(key);
    if (out && out->kind != kind) refuse(key, out->text, expected);
    return out;
  }
  std::vector<Value> each(const std::string& json_pointer) const {
    return call(&slipway_host_json::each, json_pointer);
  }

  /// Returns the values that the host's `find` or `each` delivers for a JSON pointer.
  template <class Fn>
  std::vector<Value> call(Fn slipway_host_json::*function, const std::string& json_pointer) const {
    std::vector<Value> out;
    if (json_.empty()) return out;
    const auto* service = host_.extension<slipway_host_json>(SLIPWAY_HOST_JSON);
    if (service == nullptr)
      throw Error(Code::kUnimplemented, "the host is too old to read the plug-in's configuration",
                  "update Slipway");
    const auto on_value = [](void* ctx, const slipway_json_value* value) noexcept {
      return abi::guard(nullptr, nullptr, [&] {
        const slipway_json_value wide = abi::widen(value);
        static_cast<std::vector<Value>*>(ctx)->push_back(
            {wide.kind, abi::str(wide.key), abi::str(wide.text)});
      });
    };
    const slipway_status status = (service->*function)(
        host_.table(), abi::view(json_), abi::view(json_pointer), on_value, &out, nullptr);
    if (status == SLIPWAY_E_INVALID)
      throw Error(Code::kConfig, "the plug-in's configuration is not JSON");
    if (status < 0)
      throw Error(Code::kInternal, "the host failed to read the plug-in's configuration: status " +
                                       std::to_string(status));
    return out;
  }

  Host host_;
  std::string json_;
};

}  // namespace sdk_1_0
}  // namespace slipway
