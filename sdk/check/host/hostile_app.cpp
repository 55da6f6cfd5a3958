#include "sdk/check/host/hostile_app.hpp"

#include <string_view>
#include <type_traits>
#include <vector>

#include "slipway/detail/app_views.hpp"

namespace slipway::check {

namespace {

constexpr std::int32_t kFromTheFuture = 9999;

// Places the parts of views in guarded memory, with the later value and the stride of `how`.
class AwkwardMemory {
 public:
  AwkwardMemory(GuardedMemory& memory, Awkwardness how) : memory_(memory), how_(how) {}

  slipway_str text(std::string_view value) { return memory_.text(value); }
  template <class Array, class T>
  Array array(std::vector<T> items) {
    for (T& item : items) make_later(item);
    return memory_.array<Array>(items, how_.extra_stride);
  }
  template <class T>
  const T* object(T value) {
    make_later(value);
    return memory_.object(value);
  }

 private:
  // Sets the value of a later version that `how_` selects, if `view` has it.
  template <class T>
  void make_later(T& view) const {
    if constexpr (std::is_same_v<T, slipway_role>) {
      if (how_.unknown_value == UnknownValue::kRetryPolicy) view.retry_policy = kFromTheFuture;
    }
    if constexpr (std::is_same_v<T, slipway_mount>) {
      if (how_.unknown_value == UnknownValue::kMountKind) view.kind = kFromTheFuture;
    }
  }

  GuardedMemory& memory_;
  Awkwardness how_;
};

class CfgWriter {
 public:
  CfgWriter(GuardedMemory& memory, Awkwardness how) : memory_(memory), how_(how) {}

  const slipway_cfg* cfg(const Cfg& from) {
    std::vector<slipway_cfg_entry> entries;
    for (const auto& [key, value] : from.values()) entries.push_back(entry(key, value));
    if (how_.unknown_options) {
      entries.push_back(entry("option_of_another_scheduler", std::string("x")));
      entries.push_back(entry("option_of_another_version", std::string("x")));
      entries.back().type = kFromTheFuture;
    }
    auto out = abi::sized<slipway_cfg>();
    out.entries = memory_.array<slipway_cfg_array>(entries, how_.extra_stride);
    return memory_.object(out);
  }

 private:
  slipway_str_array list(const StrList& from) {
    std::vector<slipway_str> out;
    for (const std::string& item : from) out.push_back(memory_.text(item));
    return memory_.array<slipway_str_array>(out, how_.extra_stride);
  }
  slipway_kv_array dict(const StrDict& from) {
    std::vector<slipway_kv> out;
    for (const auto& [key, value] : from) out.push_back({memory_.text(key), memory_.text(value)});
    return memory_.array<slipway_kv_array>(out, how_.extra_stride);
  }
  slipway_cfg_entry entry(const std::string& key, const Value& value) {
    auto out = abi::sized<slipway_cfg_entry>();
    out.type = static_cast<std::int32_t>(type_of(value));
    out.key = memory_.text(key);
    if (const auto* text = std::get_if<std::string>(&value)) out.text = memory_.text(*text);
    if (const auto* number = std::get_if<std::int64_t>(&value)) out.integer = *number;
    if (const auto* truth = std::get_if<bool>(&value)) out.integer = *truth ? 1 : 0;
    if (const auto* real = std::get_if<double>(&value)) out.real = *real;
    // An entry of another type has empty lists, whose pointers must not be read.
    out.list = list({});
    out.dict = dict({});
    if (const auto* items = std::get_if<StrList>(&value)) out.list = list(*items);
    if (const auto* pairs = std::get_if<StrDict>(&value)) out.dict = dict(*pairs);
    return out;
  }

  GuardedMemory& memory_;
  Awkwardness how_;
};

template <class Struct>
auto hostile_struct(GuardedMemory& memory, const Struct& from, Awkwardness how) {
  AwkwardMemory awkward(memory, how);
  return awkward.object(abi::ViewWriter<AwkwardMemory>(awkward).view_of(from));
}

}  // namespace

const slipway_app_def* hostile_app(GuardedMemory& memory, const AppDef& app, Awkwardness how) {
  return hostile_struct(memory, app, how);
}

const slipway_role* hostile_role(GuardedMemory& memory, const Role& role, Awkwardness how) {
  return hostile_struct(memory, role, how);
}

const slipway_cfg* hostile_cfg(GuardedMemory& memory, const Cfg& cfg, Awkwardness how) {
  return CfgWriter(memory, how).cfg(cfg);
}

}  // namespace slipway::check
