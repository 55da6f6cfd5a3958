// Providers of components: `desk` has desk.write, `drawer` has pencil.case, which does not start
// with the provider's name, and `locked` fails to list its components. A manifest may offer
// `drawer` under further names.
#include "slipway/plugin.hpp"

namespace {

slipway::ComponentParam param(std::string name, slipway::ValueType type) {
  slipway::ComponentParam out;
  out.name = std::move(name);
  out.type = type;
  return out;
}

slipway::AppDef one_role(std::string name, const slipway::Cfg& args) {
  slipway::AppDef app;
  app.name = std::move(name);
  slipway::Role& role = app.roles.emplace_back();
  role.name = "writer";
  role.entrypoint = "echo";
  role.args = args.list("words");
  role.num_replicas = static_cast<std::int32_t>(args.integer("times", 1));
  return app;
}

class Desk : public slipway::Components {
 public:
  using Components::Components;
  std::vector<slipway::ComponentInfo> list(const slipway::Call&) override {
    slipway::ComponentInfo write{"desk.write", "Writes words.", {}};
    write.params.push_back(param("times", slipway::ValueType::kInt));
    write.params.push_back(param("words", slipway::ValueType::kList));
    write.params.back().variadic = true;
    return {write};
  }
  slipway::AppDef build(std::string_view, const slipway::Cfg& args, const slipway::Call&) override {
    return one_role("write", args);
  }
};

class Drawer : public slipway::Components {
 public:
  using Components::Components;
  std::vector<slipway::ComponentInfo> list(const slipway::Call&) override {
    return {{"pencil.case", args().name == "drawer" ? "Empty." : "Of " + args().name, {}}};
  }
  slipway::AppDef build(std::string_view, const slipway::Cfg& args, const slipway::Call&) override {
    return one_role("pencil", args);
  }
};

class Locked : public slipway::Components {
 public:
  using Components::Components;
  std::vector<slipway::ComponentInfo> list(const slipway::Call&) override {
    throw slipway::Error(slipway::Code::kUnavailable, "the key is lost");
  }
  slipway::AppDef build(std::string_view, const slipway::Cfg& args, const slipway::Call&) override {
    return one_role("locked", args);
  }
};

}  // namespace

SLIPWAY_PLUGIN("org.slipway.test.desk", "1.0.0", SLIPWAY_PROVIDER(Desk, "desk", "writes"),
               SLIPWAY_PROVIDER(Drawer, "drawer", "holds a pencil case"),
               SLIPWAY_PROVIDER(Locked, "locked", "does not open"))
