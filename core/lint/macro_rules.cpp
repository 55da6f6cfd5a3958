// The rules about macros and shell variables: check_macros() of role_rules.hpp and
// check_app_macros() of app_rules.hpp.
#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <string>

#include "core/lint/app_rules.hpp"
#include "core/lint/macro_scan.hpp"
#include "core/lint/role_rules.hpp"
#include "core/lint/rules.hpp"
#include "core/spec/near_name.hpp"
#include "sdk/support/deep_json.hpp"
#include "sdk/support/role_keys.hpp"
#include "sdk/support/rules/role_metadata.hpp"
#include "sdk/support/shell_words.hpp"

namespace slipway::lint {
namespace {

struct MacroFinding {
  std::string_view rule;
  std::string message;
  std::string hint;
};

// The changes of a text before a replica gets it.
struct Expansion {
  bool macros = false;       // macros are substituted, except those with ports
  bool port_macros = false;  // macros with ports are substituted
  bool shell = false;        // a shell may expand the remaining variables
};

constexpr const char* kDollarHint = "write $$ where a dollar sign is meant";

// Returns whether a shell reads the role's arguments, as the entrypoint or started by a program
// such as `env` or `srun`.
bool has_shell(const Role& role) {
  return is_shell(role.entrypoint) || std::any_of(role.args.begin(), role.args.end(), is_shell);
}

// Returns false for a single letter, which is often not a variable.
bool is_upper_case(std::string_view name) {
  return name.size() > 1 &&
         std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// Returns whether the text itself or the role's environment sets a shell variable.
bool is_set_by(const Role& role, std::string_view text, std::string_view name) {
  return find(role.env, name) != nullptr ||
         text.find(std::string(name) + '=') != std::string_view::npos;
}

// Returns whether the name is a macro with a port, such as ${port.http} and ${role.kv.host}.
bool is_macro_of_ports(const DollarName& use) {
  return use.written.starts_with("${port.") || use.written.starts_with("${role.");
}

// Returns the finding about one name in `text`, or nullopt.
std::optional<MacroFinding> find_fault(const Role& role, std::string_view text,
                                       const DollarName& use, Expansion expansion) {
  const std::string written = spec::quoted(use.written);
  // Where these macros work, spec::validate() checks their roles and ports.
  const bool of_ports = is_macro_of_ports(use);
  if (of_ports && expansion.port_macros) return std::nullopt;
  if (of_ports) {
    return MacroFinding{rule::kMacroNotSubstituted,
                        "the macro " + written + " is not substituted here",
                        "macros with ports work in args and the values of env"};
  }
  if (is_macro(use.name)) {
    if (!expansion.macros) {
      return MacroFinding{
          rule::kMacroNotSubstituted, "the macro " + written + " is not substituted here",
          "macros work in args, the values of env and the strings of a role's metadata"};
    }
    if (use.closed) return std::nullopt;
    return MacroFinding{rule::kUnknownMacro, "there is no macro " + written,
                        "write ${" + std::string(use.name) + "}"};
  }
  const bool is_variable =
      expansion.shell && (is_upper_case(use.name) || is_set_by(role, text, use.name));
  if (expansion.macros && !is_variable) {
    const auto near = spec::near_name(use.name, macro_names());
    if (near)
      return MacroFinding{rule::kUnknownMacro, "there is no macro " + written,
                          "did you mean ${" + *near + "}?"};
  }
  if (!expansion.shell && (use.braced || is_upper_case(use.name))) {
    return MacroFinding{rule::kUnexpandedVariable, written + " is not expanded: no shell reads it",
                        kDollarHint};
  }
  return std::nullopt;
}

// Calls report(MacroFinding) once for each name in `text` that has a problem.
template <class Report>
void check_text(const Role& role, std::string_view text, Expansion expansion, Report report) {
  if (text.find('$') == std::string_view::npos) return;
  std::vector<std::string_view> reported;
  for (const DollarName& use : scan_dollar_names(text)) {
    std::optional<MacroFinding> finding = find_fault(role, text, use, expansion);
    if (!finding || std::find(reported.begin(), reported.end(), use.written) != reported.end())
      continue;
    reported.push_back(use.written);
    report(std::move(*finding));
  }
}

// Checks a field that reaches the scheduler unchanged.
void check_verbatim(const RoleContext& context, std::string_view field, const std::string& text) {
  check_text(context.role, text, Expansion{}, [&](MacroFinding finding) {
    context.warn(finding.rule, field, std::move(finding.message), std::move(finding.hint));
  });
}

// Reports a `~` that stands for a home directory where no shell expands it.
void check_home(const RoleContext& context) {
  const auto finding = [](const std::string& text) -> std::optional<std::string> {
    if (text != "~" && !text.starts_with("~/")) return std::nullopt;
    return "'~' in " + spec::quoted(text) + " is not expanded: no shell reads it";
  };
  constexpr const char* kHint = "write the path of the directory";
  const Role& role = context.role;
  if (auto message = finding(role.entrypoint))
    context.warn(rule::kUnexpandedVariable, "entrypoint", std::move(*message), kHint);
  if (has_shell(role)) return;
  for (std::size_t i = 0; i < role.args.size(); ++i) {
    if (auto message = finding(role.args[i]))
      context.warn_item(rule::kUnexpandedVariable, "args", i, std::move(*message), kHint);
  }
}

}  // namespace

void check_macros(const RoleContext& context) {
  const Role& role = context.role;
  for (const auto& [field, text] :
       {std::pair<std::string_view, const std::string&>{"name", role.name},
        {"image", role.image},
        {"base_image", role.base_image},
        {"entrypoint", role.entrypoint}}) {
    check_verbatim(context, field, text);
  }
  check_verbatim(context, "cwd", rules::own_cwd(role));
  check_home(context);
  const Expansion args{true, true, has_shell(role)};
  for (std::size_t i = 0; i < role.args.size(); ++i) {
    check_text(role, role.args[i], args, [&](MacroFinding finding) {
      context.warn_item(finding.rule, "args", i, std::move(finding.message),
                        std::move(finding.hint));
    });
  }
  for (std::size_t i = 0; i < role.env.size(); ++i) {
    const auto& [name, value] = role.env[i];
    const auto report = [&, &key = name](MacroFinding finding) {
      context.warn_entry(finding.rule, "env", key, i, std::move(finding.message),
                         std::move(finding.hint));
    };
    check_text(role, name, Expansion{}, report);
    check_text(role, value, Expansion{true, true, false}, report);
  }
  for (std::size_t i = 0; i < role.mounts.size(); ++i) {
    for (const std::string& end : {role.mounts[i].src, role.mounts[i].dst}) {
      check_text(role, end, Expansion{}, [&](MacroFinding finding) {
        context.warn_item(finding.rule, "mounts", i, std::move(finding.message),
                          std::move(finding.hint));
      });
    }
  }
  // The command of a probe may have macros with ports. The scheduler decides how to interpret the
  // rest of the metadata.
  const bool has_probe = role.metadata_json.find("\"slipway.ready\"") != std::string::npos;
  check_text(role, role.metadata_json, Expansion{true, has_probe, true}, [&](MacroFinding finding) {
    context.warn(finding.rule, "metadata", std::move(finding.message), std::move(finding.hint));
  });
}

void check_app_macros(const spec::AppFile& file, spec::FieldReader& report) {
  const spec::KeyPath root;
  const auto check = [&](const std::string& text, spec::Mark at, const spec::KeyPath& path) {
    for (const DollarName& use : scan_dollar_names(text)) {
      if (!is_macro(use.name) && !is_macro_of_ports(use)) continue;
      // Without expansion every macro has a fault.
      MacroFinding finding = *find_fault(Role(), text, use, Expansion{});
      report.warning(at, path, std::move(finding.message), std::move(finding.hint), finding.rule);
    }
  };
  check(file.app.name, file.places.at("name"), spec::KeyPath(root, std::string_view("name")));
  const spec::KeyPath metadata(root, std::string_view("metadata"));
  const spec::KeyPath options(root, std::string_view("options"));
  for (std::size_t i = 0; i < file.app.metadata.size(); ++i) {
    const auto& [key, value] = file.app.metadata[i];
    if (!key.starts_with(kAppOptionsPrefix)) {
      check(value, file.places.item("metadata", i), spec::KeyPath(metadata, std::string_view(key)));
      continue;
    }
    const std::string scheduler = key.substr(kAppOptionsPrefix.size());
    const spec::KeyPath table(options, std::string_view(scheduler));
    boost::system::error_code error;
    const boost::json::value values = parse_deep_json(value, error);
    if (error || !values.is_object()) continue;  // validate() reports it
    for (const auto& option : values.get_object()) {
      const std::string name(option.key());
      const auto place = std::find_if(file.options.begin(), file.options.end(),
                                      [&](const spec::OptionPlace& each) {
                                        return each.scheduler == scheduler && each.option == name;
                                      });
      check(boost::json::serialize(option.value()),
            place != file.options.end() ? place->at : spec::Mark(),
            spec::KeyPath(table, std::string_view(name)));
    }
  }
}

}  // namespace slipway::lint
