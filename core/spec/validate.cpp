#include "core/spec/validate.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/spec/app_json.hpp"
#include "core/spec/fields.hpp"
#include "core/spec/name_rule.hpp"
#include "core/spec/near_name.hpp"
#include "core/spec/role_keys.hpp"
#include "sdk/support/port_macros.hpp"
#include "sdk/support/role_keys.hpp"
#include "sdk/support/service_role.hpp"
#include "sdk/support/utf8.hpp"

namespace slipway::spec {
namespace {

constexpr std::size_t kMaxAppNameBytes = kMaxNameBytes - kIdSuffixBytes;
constexpr std::int64_t kMaxPort = 65535;
// No scheduler starts more replicas, and a dry run lists every one.
constexpr std::int32_t kMaxReplicas = 1'000'000;

// Reports a text that is not UTF-8. The parser has checked texts of a file; those of a command line
// or plug-in may hold any bytes.
void check_utf8(std::string_view text, Mark mark, const KeyPath& path, FieldReader& report) {
  if (find_invalid_utf8(text) == std::string_view::npos) return;
  report.error(mark, path, quoted(text) + " is not UTF-8",
               "apps are recorded as JSON, which holds only UTF-8: let a script of the app make "
               "such bytes",
               rule::kInvalidEncoding);
}

// Reports a text that no process can get or that no record of an app can hold.
void check_text(std::string_view text, Mark mark, const KeyPath& path, FieldReader& report) {
  // A process would see such a string end at the NUL.
  if (text.find('\0') != std::string_view::npos)
    report.error(mark, path, "contains a NUL character", {}, rule::kNulCharacter);
  check_utf8(text, mark, path, report);
}

// Reports a text that is no JSON object. A plug-in may pass any text.
void check_object(const std::string& text, const KeyPath& parent, std::string_view field,
                  FieldReader& report) {
  if (text.empty()) return;
  try {
    parse_object(text, std::string(field));
  } catch (const Error& error) {
    report.error({}, KeyPath(parent, field), error.message());
  }
}

// More than any machine has of one kind. Schedulers list a file for each.
constexpr std::int64_t kMostDevices = 65536;

// Checks the numbers of a resource.
void check_resource(const Resource& resource, const TableMarks& marks, const KeyPath& path,
                    FieldReader& report) {
  const auto refuse = [&](const char* key, const std::string& found) {
    report.error(marks.at(key), KeyPath(path, std::string_view(key)),
                 "expected at least 0, or -1 for no value, found " + found, {}, rule::kOutOfRange);
  };
  if (!resource.cpu.is_valid()) refuse("cpu", to_string(resource.cpu));
  if (resource.gpu < -1) refuse("gpu", std::to_string(resource.gpu));
  if (resource.mem_mb < -1) refuse("memMB", std::to_string(resource.mem_mb));
  const KeyPath devices(path, std::string_view("devices"));
  for (std::size_t i = 0; i < resource.devices.size(); ++i) {
    const auto& [key, number] = resource.devices[i];
    const KeyPath here(devices, std::string_view(key));
    check_text(key, marks.item("devices", i), here, report);
    if (number >= 0 && number <= kMostDevices) continue;
    report.error(
        marks.item("devices", i), here,
        "expected 0 to " + std::to_string(kMostDevices) + ", found " + std::to_string(number), {},
        rule::kOutOfRange);
  }
}

class RoleCheck {
 public:
  RoleCheck(const Role& role, const RoleMarks* marks, const KeyPath& path, FieldReader& report)
      : role_(role), marks_(marks), path_(path), report_(report) {}

  void run() {
    name("name", role_.name);
    program();
    counts();
    environment();
    ports();
    resource();
    mounts();
    json("metadata", path_, role_.metadata_json);
  }

 private:
  Mark at(std::string_view field) const { return marks_ != nullptr ? marks_->at(field) : Mark{}; }
  Mark item(std::string_view field, std::size_t index) const {
    return marks_ != nullptr ? marks_->item(field, index) : Mark{};
  }

  void error(std::string_view rule, std::string_view field, std::string message,
             std::string hint = {}) {
    report_.error(at(field), KeyPath(path_, field), std::move(message), std::move(hint), rule);
  }

  void name(std::string_view field, const std::string& value) {
    const std::string fault = name_fault(value);
    if (value.empty()) {
      error(rule::kMissingField, field, "a role needs a name");
    } else if (!fault.empty()) {
      error(rule::kInvalidName, field, "the name " + quoted(value) + ' ' + fault,
            "it becomes the name of a directory");
    }
  }

  void check_text(std::string_view text, Mark mark, const KeyPath& path) {
    slipway::spec::check_text(text, mark, path, report_);
  }

  void program() {
    if (role_.entrypoint.empty() || role_.entrypoint == kMissing) {
      error(rule::kMissingField, "entrypoint", "a role needs an entrypoint", "the program to run");
    }
    check_text(role_.entrypoint, at("entrypoint"), KeyPath(path_, std::string_view("entrypoint")));
    check_text(role_.image, at("image"), KeyPath(path_, std::string_view("image")));
    check_text(role_.base_image, at("base_image"), KeyPath(path_, std::string_view("base_image")));
    const KeyPath args(path_, std::string_view("args"));
    for (std::size_t i = 0; i < role_.args.size(); ++i) {
      check_text(role_.args[i], item("args", i), KeyPath(args, i));
    }
  }

  void counts() {
    if (role_.num_replicas < 1) {
      error(rule::kOutOfRange, "num_replicas",
            "expected at least 1, found " + std::to_string(role_.num_replicas));
    } else if (role_.num_replicas > kMaxReplicas) {
      error(rule::kOutOfRange, "num_replicas",
            "expected at most " + std::to_string(kMaxReplicas) + ", found " +
                std::to_string(role_.num_replicas));
    }
    if (role_.min_replicas && *role_.min_replicas < 1) {
      error(rule::kOutOfRange, "min_replicas",
            "expected at least 1, found " + std::to_string(*role_.min_replicas));
    } else if (role_.min_replicas &&
               !report_.failed(KeyPath(path_, std::string_view("num_replicas"))) &&
               *role_.min_replicas > role_.num_replicas) {
      error(rule::kOutOfRange, "min_replicas",
            "expected at most num_replicas, which is " + std::to_string(role_.num_replicas) +
                ", found " + std::to_string(*role_.min_replicas));
    }
    // Only a plug-in of a later version can pass an unknown policy.
    if (!is_known(role_.retry_policy))
      error(rule::kOutOfRange, "retry_policy", "this version does not know the policy");
    if (role_.max_retries < 0) {
      error(rule::kOutOfRange, "max_retries",
            "expected at least 0, found " + std::to_string(role_.max_retries));
    }
  }

  void environment() {
    const KeyPath env(path_, std::string_view("env"));
    for (std::size_t i = 0; i < role_.env.size(); ++i) {
      const auto& [key, value] = role_.env[i];
      const KeyPath here(env, std::string_view(key));
      const Mark mark = item("env", i);
      if (key.empty())
        report_.error(mark, here, "a variable needs a name", {}, rule::kInvalidVariable);
      if (key.find('=') != std::string::npos) {
        report_.error(mark, here, "the name of a variable cannot contain '='", {},
                      rule::kInvalidVariable);
      }
      check_text(key, mark, here);
      check_text(value, mark, here);
    }
  }

  void ports() {
    const KeyPath ports_path(path_, std::string_view("port_map"));
    for (std::size_t i = 0; i < role_.port_map.size(); ++i) {
      const auto& [key, number] = role_.port_map[i];
      const KeyPath here(ports_path, std::string_view(key));
      check_text(key, item("port_map", i), here);
      if (number >= 0 && number <= kMaxPort) continue;
      report_.error(item("port_map", i), here,
                    "expected a port from 0 to 65535, found " + std::to_string(number), {},
                    rule::kOutOfRange);
    }
  }

  void resource() {
    const KeyPath path(path_, std::string_view("resource"));
    const TableMarks none;
    check_resource(role_.resource, marks_ != nullptr ? marks_->resource : none, path, report_);
    json("capabilities", path, role_.resource.capabilities_json);
    json("tags", path, role_.resource.tags_json);
  }

  void mounts() {
    const KeyPath list(path_, std::string_view("mounts"));
    for (std::size_t i = 0; i < role_.mounts.size(); ++i) {
      const Mount& mount = role_.mounts[i];
      const KeyPath here(list, i);
      const Mark mark = item("mounts", i);
      if (mount.src.empty())
        report_.error(mark, here, "the mount has an empty source", {}, rule::kInvalidMount);
      if (mount.dst.empty())
        report_.error(mark, here, "the mount has an empty destination", {}, rule::kInvalidMount);
      check_text(mount.src, mark, here);
      check_text(mount.dst, mark, here);
      // Only a plug-in of a later version can pass an unknown kind.
      if (!is_known(mount.kind))
        report_.error(mark, here, "this version does not know the kind of the mount", {},
                      rule::kInvalidMount);
      const bool is_device = mount.kind == MountKind::kDevice;
      if (is_device && (mount.permissions.empty() ||
                        mount.permissions.find_first_not_of("rwm") != std::string::npos)) {
        report_.error(
            mark, here,
            "the device permissions " + quoted(mount.permissions) + " are not of r, w and m", {},
            rule::kInvalidMount);
      }
    }
  }

  // The reader has checked JSON from a file.
  void json(std::string_view field, const KeyPath& parent, const std::string& text) {
    if (marks_ == nullptr) check_object(text, parent, field, report_);
  }

  const Role& role_;
  const RoleMarks* marks_;
  const KeyPath& path_;
  FieldReader& report_;
};

// Checks that the macros with ports and hosts name roles and ports of the app.
class PortMacroCheck {
 public:
  PortMacroCheck(const AppDef& app, const AppFile* file, FieldReader& report)
      : app_(app), file_(file), report_(report) {
    for (const Role& role : app.roles) names_.emplace_back(role.name);
  }

  void run() {
    const KeyPath root;
    const KeyPath roles(root, std::string_view("roles"));
    for (std::size_t i = 0; i < app_.roles.size(); ++i) {
      const Role& role = app_.roles[i];
      const KeyPath path(roles, i);
      const KeyPath args(path, std::string_view("args"));
      const KeyPath env(path, std::string_view("env"));
      for (std::size_t k = 0; k < role.args.size(); ++k)
        check(role, role.args[k], mark(i, "args", k), KeyPath(args, k));
      for (std::size_t k = 0; k < role.env.size(); ++k) {
        check(role, role.env[k].second, mark(i, "env", k),
              KeyPath(env, std::string_view(role.env[k].first)));
      }
    }
  }

 private:
  Mark mark(std::size_t role, const char* field, std::size_t index) const {
    return file_ != nullptr ? file_->marks[role].item(field, index) : Mark{};
  }

  void check(const Role& own, const std::string& text, Mark at, const KeyPath& path) {
    if (text.find("${") == std::string::npos) return;
    for (const PortMacro& macro : port_macros(text)) {
      const Role* role = macro.role.empty() ? &own : find_role(macro.role);
      if (macro.is_malformed) {
        error(at, path, quoted(macro.written) + " is not a macro",
              "write ${port.NAME}, ${role.ROLE.port.NAME} or ${role.ROLE.host}; $$ stands for a "
              "dollar sign");
      } else if (role == nullptr) {
        error(at, path, "there is no role " + quoted(macro.role), did_you_mean(macro.role, names_));
      } else if (!macro.port.empty() && find(role->port_map, macro.port) == nullptr) {
        std::vector<std::string_view> ports;
        for (const auto& entry : role->port_map) ports.emplace_back(entry.first);
        const std::string near = did_you_mean(macro.port, ports);
        error(at, path, "the role " + quoted(role->name) + " has no port " + quoted(macro.port),
              near.empty() ? "add it to the role's port_map; 0 stands for a free one" : near);
      }
    }
  }

  void error(Mark at, const KeyPath& path, std::string message, std::string hint) {
    report_.error(at, path, std::move(message), std::move(hint), rule::kWrongValue);
  }

  const Role* find_role(std::string_view name) const {
    for (const Role& role : app_.roles) {
      if (role.name == name) return &role;
    }
    return nullptr;
  }

  const AppDef& app_;
  const AppFile* file_;
  FieldReader& report_;
  std::vector<std::string_view> names_;
};

// Checks that at least one role is not a service. check_role_keys() reports values that are not
// booleans.
void check_service_roles(const AppDef& app, const AppFile* file, FieldReader& report) {
  try {
    for (const Role& role : app.roles)
      if (!is_service(role)) return;
  } catch (const Error&) {
    return;
  }
  try {
    check_services(app);
  } catch (const Error& error) {
    const std::string_view key = role_key_in(kServiceKey);
    const bool in_metadata = file != nullptr && file->marks[0].find(key) == nullptr;
    const std::string_view field = in_metadata ? "metadata" : key;
    const KeyPath root;
    const KeyPath roles(root, std::string_view("roles"));
    const KeyPath first(roles, std::size_t{0});
    report.error(file != nullptr ? file->marks[0].at(field) : Mark{}, KeyPath(first, field),
                 error.message(), error.hint());
  }
}

void check(const AppDef& app, const AppFile* file, ProblemList& problems) {
  const std::string source = file != nullptr ? file->source : std::string();
  FieldReader report(source, problems);
  const KeyPath root;
  const Mark top = file != nullptr ? Mark{1, 1} : Mark{};
  const auto place = [&](const char* field) {
    const TableMarks::Value* value = file != nullptr ? file->places.find(field) : nullptr;
    return value != nullptr ? value->at : top;
  };
  const KeyPath name(root, std::string_view("name"));
  const std::string fault = name_fault(app.name, kMaxAppNameBytes);
  if (app.name.empty()) {
    report.error(place("name"), name, "the app needs a name", {}, rule::kMissingField);
  } else if (!fault.empty()) {
    report.error(place("name"), name, "the name " + quoted(app.name) + ' ' + fault,
                 "it becomes the name of a directory", rule::kInvalidName);
  }

  const KeyPath metadata(root, std::string_view("metadata"));
  for (const auto& [key, value] : app.metadata) {
    const KeyPath here(metadata, std::string_view(key));
    check_utf8(key, place("metadata"), here, report);
    check_utf8(value, place("metadata"), here, report);
  }

  const KeyPath roles(root, std::string_view("roles"));
  if (app.roles.empty()) {
    report.error(place("roles"), roles, "the app needs at least one role", {}, rule::kMissingField);
  }
  std::vector<std::string_view> names;
  for (const Role& role : app.roles) names.emplace_back(role.name);
  std::unordered_map<std::string_view, std::size_t> first_use;
  for (std::size_t i = 0; i < app.roles.size(); ++i) {
    const Role& role = app.roles[i];
    const RoleMarks* marks = file != nullptr ? &file->marks[i] : nullptr;
    const KeyPath path(roles, i);
    if (report.failed(path)) continue;  // the role is not a table
    RoleCheck(role, marks, path, report).run();
    if (!report.failed(KeyPath(path, std::string_view("metadata"))))
      check_role_keys(role, marks, path, names, report);
    const auto [first, is_new] = first_use.emplace(role.name, i);
    if (is_new || role.name.empty()) continue;
    std::string message = "the role " + quoted(role.name) + " is already defined as roles[" +
                          std::to_string(first->second) + ']';
    if (marks != nullptr) {
      message += " on line " + std::to_string(file->marks[first->second].at("name").line);
    }
    report.error(marks != nullptr ? marks->at("name") : Mark{},
                 KeyPath(path, std::string_view("name")), std::move(message),
                 "each role needs a unique name", rule::kDuplicateRole);
  }
  check_service_roles(app, file, report);
  PortMacroCheck(app, file, report).run();
}

}  // namespace

void validate(const AppFile& file, ProblemList& problems) { check(file.app, &file, problems); }

void validate(const AppDef& app, ProblemList& problems) { check(app, nullptr, problems); }

void validate(const Resource& resource, ProblemList& problems) {
  const std::string source;
  FieldReader report(source, problems);
  const KeyPath root;
  check_resource(resource, {}, root, report);
  check_object(resource.capabilities_json, root, "capabilities", report);
  check_object(resource.tags_json, root, "tags", report);
}

void validate(const AppDef& app) {
  ProblemList problems;
  validate(app, problems);
  problems.throw_if_errors();
}

}  // namespace slipway::spec
