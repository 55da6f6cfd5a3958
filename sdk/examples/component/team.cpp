// The component `team.train`: a parameter server, and trainers with a process for each GPU of a
// machine, whose named resource the user gives.
#include <cstdint>
#include <limits>

#include "slipway/elastic_role.hpp"
#include "slipway/hosted_resources.hpp"
#include "slipway/plugin.hpp"

namespace {

using slipway::Code;
using slipway::ComponentParam;
using slipway::Error;
using slipway::ValueType;

class Team : public slipway::Components {
 public:
  using Components::Components;

  std::vector<slipway::ComponentInfo> list(const slipway::Call&) override {
    ComponentParam script;
    script.name = "script";
    script.help = "the script to train with";
    script.required = true;
    ComponentParam trainers;
    trainers.name = "trainers";
    trainers.type = ValueType::kInt;
    trainers.help = "number of machines that train";
    trainers.default_value = std::int64_t{2};
    trainers.short_name = "n";
    ComponentParam machine;
    machine.name = "machine";
    machine.help = "a named resource with GPUs";
    machine.default_value = std::string("gpu.small");
    ComponentParam args;
    args.name = "args";
    args.type = ValueType::kList;
    args.help = "arguments of the script";
    args.variadic = true;
    return {{"team.train", "Runs our team's training.", {script, trainers, machine, args}}};
  }

  slipway::AppDef build(std::string_view name, const slipway::Cfg& args,
                        const slipway::Call& call) override {
    if (name != "team.train")
      throw Error(Code::kNotFound, "there is no component " + std::string(name));
    const std::string machine_name = args.text("machine");
    const slipway::Resource machine = slipway::named_resource(host(), machine_name, call);
    if (machine.gpu < 1)
      throw Error(Code::kInvalid, machine_name + " has no GPU to train on",
                  "give --machine gpu.small");
    const std::int64_t trainers = args.integer("trainers");
    if (trainers < 1 || trainers > std::numeric_limits<std::int32_t>::max())
      throw Error(Code::kInvalid, "--trainers is a number of machines, at least 1");

    slipway::Resource small;
    small.cpu = 2;
    small.gpu = 0;
    small.mem_mb = 4096;
    slipway::AppDef app("team-train");
    app.of(
        slipway::Role("ps").runs("ps.py", {"--port", "7070"}).require(small).port("store", 7070));
    app.of(slipway::ElasticRole("trainer", {{"nnodes", trainers}, {"nproc_per_node", machine.gpu}})
               .runs(args.text("script"), args.list("args"))
               .require(machine)
               .replicas(static_cast<std::int32_t>(trainers)));
    return app;
  }
};

}  // namespace

SLIPWAY_PLUGIN("org.example.team", "1.0.0", SLIPWAY_PROVIDER(Team, "team", "our team's jobs"))
