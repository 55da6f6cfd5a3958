#include "core/config/ini_file.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/spec/document_text.hpp"
#include "slipway/lines.hpp"

namespace slipway::config {

namespace {

constexpr std::string_view kBlanks = " \t\v\f";
constexpr int kMaxInterpolations = 10;  // configparser's MAX_INTERPOLATION_DEPTH
// Limits the memory of a value whose references multiply its size.
constexpr std::size_t kMaxValueBytes = std::size_t{1} << 20;

// Removes the first line, which ends with "\n", "\r\n" or "\r", from `rest` and returns it.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find_first_of("\r\n");
  const std::string_view line = rest.substr(0, end);
  if (end == std::string_view::npos) {
    rest = {};
  } else {
    rest.remove_prefix(rest.substr(end, 2) == "\r\n" ? end + 2 : end + 1);
  }
  return line;
}

class IniReader {
 public:
  explicit IniReader(const std::string& file) : file_(file) { out_.defaults.name = "DEFAULT"; }

  IniFile read(std::string_view text) {
    for (std::string_view rest = text; !rest.empty();) {
      ++line_;
      line(take_line(rest));
    }
    end_value();
    if (!problems_.empty()) throw spec::InvalidApp(std::move(problems_));
    return std::move(out_);
  }

 private:
  void line(std::string_view text) {
    const std::string_view content = trimmed(text, kBlanks);
    if (content.empty()) {
      // A blank line inside a value is part of it.
      if (value_ != nullptr) value_->value.push_back('\n');
      return;
    }
    if (content.front() == '#' || content.front() == ';') return;
    const auto indent = static_cast<std::size_t>(content.data() - text.data());
    if (value_ != nullptr && indent > indent_) {
      value_->value.append(1, '\n').append(content);
      return;
    }
    end_value();
    indent_ = indent;
    // As in configparser, a header ends at the last `]` and is not empty.
    if (content.front() == '[' && content.rfind(']') != std::string_view::npos &&
        content.rfind(']') > 1) {
      header(std::string(content.substr(1, content.rfind(']') - 1)));
    } else {
      option(content);
    }
  }

  void header(std::string name) {
    if (name == out_.defaults.name) {
      section_ = kDefaults;
      return;
    }
    const auto known = std::find_if(out_.sections.begin(), out_.sections.end(),
                                    [&](const IniSection& one) { return one.name == name; });
    if (known != out_.sections.end()) {
      section_ = static_cast<std::size_t>(known - out_.sections.begin());
      problem("the section [" + name + "] already exists", "write it once");
      return;
    }
    section_ = out_.sections.size();
    out_.sections.push_back({std::move(name), {}});
  }

  void option(std::string_view content) {
    if (section_ == kNone) {
      if (!std::exchange(has_reported_missing_section_, true))
        problem("a setting before the first [section]", "write a section's name above it");
      return;
    }
    const std::size_t delimiter = content.find_first_of("=:");
    const std::string_view name = trimmed(content.substr(0, delimiter), kBlanks);
    if (delimiter == std::string_view::npos || name.empty()) {
      problem("expected NAME = VALUE, found " + spec::quoted(content), {});
      return;
    }
    IniSection& section = section_ == kDefaults ? out_.defaults : out_.sections[section_];
    if (section.find(name) != nullptr) {
      problem("[" + section.name + "] already has " + spec::quoted(name), "write it once");
      return;
    }
    section.options.push_back({std::string(name),
                               std::string(trimmed(content.substr(delimiter + 1), kBlanks)),
                               {line_, static_cast<std::uint32_t>(indent_ + 1)}});
    value_ = &section.options.back();
  }

  void end_value() {
    if (value_ == nullptr) return;
    std::string& text = value_->value;
    text.erase(text.find_last_not_of(" \t\v\f\n") + 1);
    value_ = nullptr;
  }

  void problem(std::string message, std::string hint) {
    problems_.push_back({spec::Severity::kError,
                         {file_, line_, static_cast<std::uint32_t>(indent_ + 1)},
                         {},
                         std::move(message),
                         std::move(hint),
                         Code::kConfig});
  }

  // Values of section_ that are not an index in out_.sections.
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t kDefaults = kNone - 1;

  const std::string& file_;
  IniFile out_;
  std::vector<spec::Problem> problems_;
  std::uint32_t line_ = 0;
  std::size_t indent_ = 0;  // blanks before the option or header that was read last
  std::size_t section_ = kNone;
  IniOption* value_ = nullptr;  // the option that continuation lines belong to
  bool has_reported_missing_section_ = false;
};

class Interpolation {
 public:
  Interpolation(const IniFile& file, const IniSection& section) : file_(file), section_(section) {}

  std::string resolve(std::string_view raw, int depth) {
    if (depth > kMaxInterpolations)
      throw Error(Code::kConfig, "%(…)s refers to itself, or 10 or more references form a chain");
    std::string out;
    const auto add = [&out](std::string_view text) {
      out += text;
      if (out.size() > kMaxValueBytes) throw Error(Code::kConfig, "the value is larger than 1 MiB");
    };
    while (!raw.empty()) {
      const std::size_t percent = raw.find('%');
      add(raw.substr(0, percent));
      if (percent == std::string_view::npos) break;
      raw.remove_prefix(percent + 1);
      if (!raw.empty() && raw.front() == '%') {
        out.push_back('%');
        raw.remove_prefix(1);
        continue;
      }
      const std::size_t end = raw.find(")s");
      if (raw.empty() || raw.front() != '(' || end == std::string_view::npos || end < 2)
        throw Error(Code::kConfig, "expected %% or %(NAME)s, found " + spec::quoted(rest_of(raw)),
                    "write a percent sign as %%");
      add(value_of(raw.substr(1, end - 1), depth));
      raw.remove_prefix(end + 2);
    }
    return out;
  }

 private:
  // Returns the percent sign before `raw` and the start of `raw`, for a message.
  static std::string rest_of(std::string_view raw) {
    return std::string(1, '%') + std::string(raw.substr(0, 20));
  }

  std::string value_of(std::string_view name, int depth) {
    const IniOption* option = section_.find(name);
    if (option == nullptr) option = file_.defaults.find(name);
    if (option == nullptr) {
      throw Error(Code::kConfig, "%(" + std::string(name) + ")s: no such option in [" +
                                     section_.name + "] or [DEFAULT]");
    }
    return resolve(option->value, depth + 1);
  }

  const IniFile& file_;
  const IniSection& section_;
};

}  // namespace

const IniOption* IniSection::find(std::string_view wanted) const {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const IniOption& option) { return option.name == wanted; });
  return found == options.end() ? nullptr : &*found;
}

const IniSection* IniFile::find(std::string_view wanted) const {
  const auto found = std::find_if(sections.begin(), sections.end(), [&](const IniSection& section) {
    return section.name == wanted;
  });
  return found == sections.end() ? nullptr : &*found;
}

IniFile parse_ini(std::string_view text, const std::string& file) {
  try {
    return IniReader(file).read(spec::checked_text(text, file));
  } catch (const spec::InvalidApp& error) {
    std::vector<spec::Problem> problems = error.problems();
    for (spec::Problem& problem : problems) problem.code = Code::kConfig;
    throw spec::InvalidApp(std::move(problems));
  }
}

std::string interpolated(const IniFile& file, const IniSection& section, const std::string& raw) {
  return Interpolation(file, section).resolve(raw, 1);
}

}  // namespace slipway::config
