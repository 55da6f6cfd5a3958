#include "core/registry/queries/query_results.hpp"

#include <utility>

#include "core/registry/queries/query_message.hpp"

namespace slipway::registry {
namespace {

template <class Each>
void read_list(MessageReader& from, Each each) {
  for (std::int64_t left = from.number(); left > 0; --left) each();
}

void write(MessageWriter& to, TimeNs time) { to.number(time ? 1 : 0).number(time.value_or(0)); }

TimeNs read_time(MessageReader& from) {
  const bool is_known = from.number() != 0;
  const std::int64_t time = from.number();
  return is_known ? TimeNs(time) : std::nullopt;
}

void write(MessageWriter& to, const Value& value) {
  to.number(static_cast<std::int64_t>(value.index()));
  switch (type_of(value)) {
    case ValueType::kStr: to.text(std::get<std::string>(value)); break;
    case ValueType::kInt: to.number(std::get<std::int64_t>(value)); break;
    case ValueType::kFloat: to.real(std::get<double>(value)); break;
    case ValueType::kBool: to.number(std::get<bool>(value) ? 1 : 0); break;
    case ValueType::kList: {
      const StrList& list = std::get<StrList>(value);
      to.number(std::ssize(list));
      for (const std::string& item : list) to.text(item);
      break;
    }
    case ValueType::kDict: {
      const StrDict& dict = std::get<StrDict>(value);
      to.number(std::ssize(dict));
      for (const auto& [key, item] : dict) to.text(key).text(item);
      break;
    }
    case ValueType::kNone: break;
  }
}

Value read_value(MessageReader& from) {
  const std::int64_t index = from.number();  // of the variant: 0 is monostate, the types follow
  switch (index == 0 ? ValueType::kNone : static_cast<ValueType>(index - 1)) {
    case ValueType::kStr: return from.text();
    case ValueType::kInt: return from.number();
    case ValueType::kFloat: return from.real();
    case ValueType::kBool: return from.number() != 0;
    case ValueType::kList: {
      StrList list;
      read_list(from, [&] { list.push_back(from.text()); });
      return list;
    }
    case ValueType::kDict: {
      StrDict dict;
      read_list(from, [&] {
        std::string key = from.text();
        dict.emplace_back(std::move(key), from.text());
      });
      return dict;
    }
    case ValueType::kNone: break;
  }
  return {};
}

}  // namespace

std::string to_bytes(const std::vector<ListItem>& items) {
  MessageWriter out;
  out.number(std::ssize(items));
  for (const ListItem& item : items) {
    out.text(item.app_id).text(item.name).text(item.session);
    out.number(static_cast<std::int64_t>(item.state));
    write(out, item.submitted_at);
  }
  return out.take();
}

std::vector<ListItem> items_from(std::string_view bytes) {
  MessageReader from(bytes);
  std::vector<ListItem> out;
  read_list(from, [&] {
    ListItem& item = out.emplace_back();
    item.app_id = from.text();
    item.name = from.text();
    item.session = from.text();
    item.state = static_cast<AppState>(from.number());
    item.submitted_at = read_time(from);
  });
  return out;
}

std::string to_bytes(const std::vector<UnusedImage>& images) {
  MessageWriter out;
  out.number(std::ssize(images));
  for (const UnusedImage& image : images) write(out.text(image.root), image.last_used_at);
  return out.take();
}

std::vector<UnusedImage> images_from(std::string_view bytes) {
  MessageReader from(bytes);
  std::vector<UnusedImage> out;
  read_list(from, [&] {
    std::string root = from.text();
    out.push_back({std::move(root), read_time(from)});
  });
  return out;
}

std::string to_bytes(const RunOpts& options) {
  MessageWriter out;
  out.number(std::ssize(options));
  for (const RunOpt& option : options) {
    out.text(option.name).number(static_cast<std::int64_t>(option.type)).text(option.help);
    out.number(option.required ? 1 : 0).number(static_cast<std::int64_t>(option.meaning));
    write(out, option.default_value);
  }
  return out.take();
}

RunOpts options_from(std::string_view bytes) {
  MessageReader from(bytes);
  RunOpts out;
  read_list(from, [&] {
    RunOpt option;
    option.name = from.text();
    option.type = static_cast<ValueType>(from.number());
    option.help = from.text();
    option.required = from.number() != 0;
    option.meaning = static_cast<OptMeaning>(from.number());
    option.default_value = read_value(from);
    out.add(std::move(option));
  });
  return out;
}

std::string to_bytes(const Dict<Resource>& resources) {
  MessageWriter out;
  out.number(std::ssize(resources));
  for (const auto& [name, resource] : resources) {
    out.text(name).number(resource.cpu.milli()).number(resource.gpu).number(resource.mem_mb);
    out.text(resource.capabilities_json).text(resource.tags_json);
    out.number(std::ssize(resource.devices));
    for (const auto& [device, count] : resource.devices) out.text(device).number(count);
  }
  return out.take();
}

Dict<Resource> resources_from(std::string_view bytes) {
  MessageReader from(bytes);
  Dict<Resource> out;
  read_list(from, [&] {
    auto& entry = out.emplace_back();
    entry.first = from.text();
    Resource& resource = entry.second;
    resource.cpu = CpuCount::of_milli(from.number());
    resource.gpu = static_cast<std::int32_t>(from.number());
    resource.mem_mb = from.number();
    resource.capabilities_json = from.text();
    resource.tags_json = from.text();
    read_list(from, [&] {
      std::string device = from.text();
      resource.devices.emplace_back(std::move(device), from.number());
    });
  });
  return out;
}

std::string to_bytes(const std::vector<ComponentInfo>& components) {
  MessageWriter out;
  out.number(std::ssize(components));
  for (const ComponentInfo& component : components) {
    out.text(component.name).text(component.help).number(std::ssize(component.params));
    for (const ComponentParam& param : component.params) {
      out.text(param.name).number(static_cast<std::int64_t>(param.type)).text(param.help);
      out.number(param.required ? 1 : 0).text(param.short_name).number(param.variadic ? 1 : 0);
      write(out, param.default_value);
    }
  }
  return out.take();
}

std::vector<ComponentInfo> components_from(std::string_view bytes) {
  MessageReader from(bytes);
  std::vector<ComponentInfo> out;
  read_list(from, [&] {
    ComponentInfo& component = out.emplace_back();
    component.name = from.text();
    component.help = from.text();
    read_list(from, [&] {
      ComponentParam& param = component.params.emplace_back();
      param.name = from.text();
      param.type = static_cast<ValueType>(from.number());
      param.help = from.text();
      param.required = from.number() != 0;
      param.short_name = from.text();
      param.variadic = from.number() != 0;
      param.default_value = read_value(from);
    });
  });
  return out;
}

}  // namespace slipway::registry
