// The component `kept.echo`: replicas that print a text.
#pragma once

#include "slipway/components.hpp"

namespace kept {

class Components : public slipway::Components {
 public:
  using slipway::Components::Components;

  std::vector<slipway::ComponentInfo> list(const slipway::Call& /*call*/) override {
    slipway::ComponentParam text;
    text.name = "text";
    text.help = "the text to print";
    text.required = true;
    slipway::ComponentParam replicas;
    replicas.name = "replicas";
    replicas.help = "number of replicas";
    replicas.type = slipway::ValueType::kInt;
    replicas.default_value = std::int64_t{2};
    return {{"kept.echo", "Prints a text.", {text, replicas}}};
  }

  slipway::AppDef build(std::string_view name, const slipway::Cfg& args,
                        const slipway::Call& /*call*/) override {
    if (name != "kept.echo")
      throw slipway::Error(slipway::Code::kNotFound, "there is only the component kept.echo");
    const std::int64_t replicas = args.integer("replicas");
    if (replicas < 1 || replicas > 1000)
      throw slipway::Error(slipway::Code::kInvalid, "--replicas is between 1 and 1000");
    slipway::AppDef app("kept-echo");
    app.of(slipway::Role("echo")
               .runs("echo", {args.text("text")})
               .on("/")
               .replicas(static_cast<std::int32_t>(replicas)));
    return app;
  }
};

}  // namespace kept
