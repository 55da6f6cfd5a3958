// Converts run options and their values between C++ values and C views.
#pragma once

#include <deque>
#include <vector>

#include "slipway/detail/views.hpp"
#include "slipway/options.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

/// A C view of a Cfg, which must outlive it.
class CfgView {
 public:
  explicit CfgView(const Cfg& cfg) {
    entries_.reserve(cfg.values().size());
    for (const auto& [key, value] : cfg.values()) entries_.push_back(entry(key, value));
    view_.entries = array_of<slipway_cfg_array>(entries_);
  }
  CfgView(const CfgView&) = delete;
  CfgView& operator=(const CfgView&) = delete;
  const slipway_cfg* get() const { return &view_; }

 private:
  slipway_cfg_entry entry(const std::string& key, const Value& value) {
    auto e = sized<slipway_cfg_entry>();
    e.type = static_cast<std::int32_t>(type_of(value));
    e.key = view(key);
    if (const auto* s = std::get_if<std::string>(&value)) e.text = view(*s);
    if (const auto* i = std::get_if<std::int64_t>(&value)) e.integer = *i;
    if (const auto* b = std::get_if<bool>(&value)) e.integer = *b ? 1 : 0;
    if (const auto* d = std::get_if<double>(&value)) e.real = *d;
    if (const auto* l = std::get_if<StrList>(&value)) {
      e.list = array_of<slipway_str_array>(lists_.emplace_back(views_of(*l)));
    }
    if (const auto* m = std::get_if<StrDict>(&value)) {
      e.dict = array_of<slipway_kv_array>(dicts_.emplace_back(views_of(*m)));
    }
    return e;
  }

  std::deque<std::vector<slipway_str>> lists_;
  std::deque<std::vector<slipway_kv>> dicts_;
  std::vector<slipway_cfg_entry> entries_;
  slipway_cfg view_ = sized<slipway_cfg>();
};

/// Returns the value, or kNone for an unknown type (R8).
inline Value read(const slipway_cfg_entry& e) {
  switch (e.type) {
    case SLIPWAY_TYPE_STR: return str(e.text);
    case SLIPWAY_TYPE_INT: return e.integer;
    case SLIPWAY_TYPE_FLOAT: return e.real;
    case SLIPWAY_TYPE_BOOL: return e.integer != 0;
    case SLIPWAY_TYPE_LIST: return read(e.list);
    case SLIPWAY_TYPE_DICT: return read(e.dict);
    default: return std::monostate{};
  }
}

inline Cfg read(const slipway_cfg& cfg) {
  Cfg out;
  each_widened<slipway_cfg_entry>(
      widen(&cfg).entries, [&](const slipway_cfg_entry& e) { out.set(text(e.key), read(e)); });
  return out;
}

/// Returns the declared type, or kStr for an unknown one (R8).
inline ValueType read_type(std::int32_t type) {
  return type >= SLIPWAY_TYPE_STR && type <= SLIPWAY_TYPE_DICT ? static_cast<ValueType>(type)
                                                               : ValueType::kStr;
}

/// A C view of a RunOpt, which must outlive it.
class RunOptView {
 public:
  explicit RunOptView(const RunOpt& opt)
      : default_(Cfg({{opt.name, opt.default_value}})), cfg_(default_) {
    view_.type = static_cast<std::int32_t>(opt.type);
    view_.name = view(opt.name);
    view_.help = view(opt.help);
    if (type_of(opt.default_value) != ValueType::kNone)
      view_.default_value = cfg_.get()->entries.ptr;
    view_.required = opt.required ? 1 : 0;
    view_.meaning = static_cast<std::int32_t>(opt.meaning);
  }
  RunOptView(const RunOptView&) = delete;
  RunOptView& operator=(const RunOptView&) = delete;
  const slipway_run_opt* get() const { return &view_; }

 private:
  Cfg default_;
  CfgView cfg_;
  slipway_run_opt view_ = sized<slipway_run_opt>();
};

inline RunOpt read(const slipway_run_opt& from) {
  const slipway_run_opt o = widen(&from);
  RunOpt out;
  out.name = str(o.name);
  out.help = str(o.help);
  out.type = read_type(o.type);
  out.required = o.required != 0;
  if (o.meaning == SLIPWAY_MEANING_WORKSPACE_DIR) out.meaning = OptMeaning::kWorkspaceDir;
  if (o.default_value != nullptr) out.default_value = read(widen(o.default_value));
  return out;
}

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
