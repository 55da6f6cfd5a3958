// Declares options and returns the declared ones.

#include "tests/vectors/kinds.hpp"
#include "tests/vectors/kinds/option_case.hpp"

namespace slipway::vectors {

json::value run_runopts_add(VectorCase& one, Bench&) {
  // Two types of TorchX may be the same type of Slipway; returns the case's own name if it means
  // that type.
  const auto name_of = [&](const RunOpt& option) {
    std::string name = to_string(option.type);
    for (const json::value& item : member(one.input, "opts").as_array()) {
      const json::object& given = item.as_object();
      const std::string type = text_member(given, "type");
      if (text_member(given, "name") == option.name && option_type(type) == option.type)
        name = type;
    }
    return name;
  };
  json::array out;
  for (const RunOpt& option : declared_options(one)) {
    out.push_back(json::object{{"name", option.name},
                               {"type", name_of(option)},
                               {"default", vector_json(option.default_value)},
                               {"required", option.required},
                               {"help", option.help}});
  }
  return out;
}

}  // namespace slipway::vectors
