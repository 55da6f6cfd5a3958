// The C table of slipway::Components; scheduler_thunks.hpp says what the functions of a table do.
#pragma once

#include <deque>
#include <memory>

#include "slipway/components.hpp"
#include "slipway/detail/app_views.hpp"
#include "slipway/detail/guard.hpp"
#include "slipway/detail/option_views.hpp"

namespace slipway {
inline namespace sdk_1_0 {
namespace abi {

struct ComponentsObject {
  slipway_components base;  // first: the C handle points to it, and object() casts it back
  const slipway_host* host;
  std::unique_ptr<Components> impl;
};
inline ComponentsObject& object(slipway_components* self) {
  return *reinterpret_cast<ComponentsObject*>(self);
}

/// A C view of a ComponentInfo, which must outlive it.
class ComponentInfoView {
 public:
  explicit ComponentInfoView(const ComponentInfo& info) {
    params_.reserve(info.params.size());
    for (const ComponentParam& param : info.params) {
      auto p = sized<slipway_component_param>();
      p.type = static_cast<std::int32_t>(param.type);
      p.name = view(param.name);
      p.short_name = view_or_absent(param.short_name);
      p.help = view_or_absent(param.help);
      if (type_of(param.default_value) != ValueType::kNone) {
        const Cfg& cfg = defaults_.emplace_back(Dict<Value>{{param.name, param.default_value}});
        p.default_value = default_views_.emplace_back(cfg).get()->entries.ptr;
      }
      p.required = param.required ? 1 : 0;
      p.variadic = param.variadic ? 1 : 0;
      params_.push_back(p);
    }
    view_.name = view(info.name);
    view_.help = view_or_absent(info.help);
    view_.params = array_of<slipway_component_param_array>(params_);
  }
  ComponentInfoView(const ComponentInfoView&) = delete;
  ComponentInfoView& operator=(const ComponentInfoView&) = delete;
  const slipway_component_info* get() const { return &view_; }

 private:
  // Deques, because a CfgView points into its Cfg and cannot be moved.
  std::deque<Cfg> defaults_;
  std::deque<CfgView> default_views_;
  std::vector<slipway_component_param> params_;
  slipway_component_info view_ = sized<slipway_component_info>();
};

inline ComponentInfo read(const slipway_component_info& from) {
  const slipway_component_info i = widen(&from);
  ComponentInfo out;
  out.name = str(i.name);
  out.help = str(i.help);
  each_widened<slipway_component_param>(i.params, [&](const slipway_component_param& p) {
    ComponentParam& param = out.params.emplace_back();
    param.name = str(p.name);
    param.type = read_type(p.type);
    param.help = str(p.help);
    param.required = p.required != 0;
    if (p.default_value != nullptr) param.default_value = read(widen(p.default_value));
    param.short_name = str(p.short_name);
    param.variadic = p.variadic != 0;
  });
  return out;
}

inline ComponentQuery read(const slipway_component_query& from) {
  const slipway_component_query q = widen(&from);
  return {str(q.file), str(q.name)};
}

inline ComponentProblem read(const slipway_component_problem& from) {
  const slipway_component_problem p = widen(&from);
  return {p.line, p.column, str(p.message), str(p.hint)};
}

namespace components_thunks {

inline void destroy(slipway_components* self) {
  guard(nullptr, nullptr, [&] { delete &object(self); });
}

inline slipway_status list(slipway_components* self, const slipway_call* call,
                           const slipway_component_query* query, slipway_on_component on_component,
                           void* ctx, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    for (const ComponentInfo& info :
         object(self).impl->list_selected(read(*query), Call(call, object(self).host, err))) {
      const ComponentInfoView v(info);
      ok(on_component(ctx, v.get()));
    }
  });
}

inline slipway_status build(slipway_components* self, const slipway_call* call,
                            const slipway_component_order* order, slipway_on_app_def on_app,
                            void* ctx, slipway_error* err) {
  return guard(object(self).host, err, [&] {
    const slipway_component_order o = widen(order);
    const Call context(call, object(self).host, err);
    const AppDef app = o.file.ptr == nullptr
                           ? object(self).impl->build(text(o.name), read(*o.args), context)
                           : object(self).impl->build_from_file(text(o.file), text(o.name),
                                                                read(*o.args), context);
    const AppDefView v(app);
    ok(on_app(ctx, v.get()));
  });
}

inline slipway_status check(slipway_components* self, const slipway_call* call,
                            const slipway_component_query* query,
                            slipway_on_component_problem on_problem, void* ctx,
                            slipway_error* err) {
  return guard(object(self).host, err, [&] {
    for (const ComponentProblem& problem :
         object(self).impl->check(read(*query), Call(call, object(self).host, err))) {
      auto v = sized<slipway_component_problem>();
      v.line = problem.line;
      v.column = problem.column;
      v.message = view(problem.message);
      v.hint = view_or_absent(problem.hint);
      ok(on_problem(ctx, &v));
    }
  });
}

/// Returns null: no optional ability of these providers is defined, so Components has no
/// extension() as Scheduler has.
inline const void* get_extension(slipway_components*, slipway_str) { return nullptr; }

}  // namespace components_thunks

inline constexpr slipway_components_vtbl kComponentsTable = {
    sizeof(slipway_components_vtbl),  0,
    components_thunks::destroy,       components_thunks::list,
    components_thunks::build,         components_thunks::check,
    components_thunks::get_extension,
};

}  // namespace abi
}  // namespace sdk_1_0
}  // namespace slipway
