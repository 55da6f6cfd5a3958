// The problems of a document, such as an app file, and their places. Readers and checks collect
// problems instead of stopping at the first, so that one run reports all of them in the order of
// the file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/spec/rule_names.hpp"
#include "slipway/error.hpp"

namespace slipway::spec {

/// A place in a text. Lines and columns count from 1, columns in code points. Line 0 means that the
/// value has no text to point at (the app was built in memory).
struct Mark {
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend bool operator==(const Mark&, const Mark&) = default;
};

/// A place in a named file. `file` may be empty for an app that was built in memory.
struct Position {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// Returns `file:line:column`, or only `file` if the line is 0.
std::string to_string(const Position& position);

enum class Severity { kError, kWarning };

struct Problem {
  Severity severity = Severity::kError;
  Position where;
  /// Dotted path of the key (`roles[1].env.HOME`), or empty for the whole file.
  std::string key;
  std::string message;  ///< what was expected and what was found, without place, key and hint
  std::string hint;     ///< what to do about it (`did you mean num_replicas?`), or empty
  Code code = Code::kInvalid;
  std::string_view rule = rule::kWrongValue;  ///< a name with static storage (rule_names.hpp)
};

/// Returns `file:line:column: key: message, hint` without the empty parts, on one line, with
/// `warning: ` before the key of a warning. Hidden characters appear as escapes.
std::string to_string(const Problem& problem);

/// Returns `text` in single quotes for a one-line message. Escapes hidden characters as
/// visible_line() of slipway/visible_text.hpp does, and shortens texts of more than 60 bytes.
std::string quoted(std::string_view text);

/// Problems of one document, or of an app without one, collected in any order. Not thread safe.
class ProblemList {
 public:
  /// Limits the memory for a large file that is wrong throughout: once the list has so many
  /// problems, it counts further ones in omitted(), except its first error, and keeps only the keys
  /// of errors.
  static constexpr std::size_t kMaxProblems = 1000;
  using Filter = std::function<bool(const Problem&)>;

  ProblemList() = default;
  /// Keeps only the problems that `filter` accepts. A rejected error still counts for has_errors(),
  /// has_error() and has_error_where(), and as the first error about its key.
  explicit ProblemList(Filter filter) : filter_(std::move(filter)) {}

  /// Adds `problem`. Drops a second error about the same key, because the first one explains it: a
  /// name of the wrong type is not also a missing name.
  void add(Problem problem);

  bool has_errors() const { return !keys_with_errors_.empty(); }
  /// Returns whether an error about exactly this key was added.
  bool has_error(const std::string& key) const { return keys_with_errors_.count(key) > 0; }
  /// Returns whether `fits(key)` is true for the key of an error that was added.
  template <class Fits>
  bool has_error_where(Fits fits) const {
    return std::any_of(keys_with_errors_.begin(), keys_with_errors_.end(), fits);
  }
  bool empty() const { return problems_.empty(); }
  std::size_t size() const { return problems_.size(); }
  /// Returns the number of problems that were added beyond kMaxProblems and not kept.
  std::size_t omitted() const { return omitted_; }

  /// Returns the kept problems in the order of the file; problems without a place come first.
  std::vector<Problem> in_order() const;
  std::vector<Problem> warnings() const;

  /// Throws InvalidApp with the kept errors and warnings if has_errors().
  void throw_if_errors() const;

 private:
  Filter filter_;  // empty: accepts every problem
  std::vector<Problem> problems_;
  std::set<std::string> keys_with_errors_;
  bool keeps_error_ = false;  // problems_ has an error
  std::size_t omitted_ = 0;
};

/// An app or another document with errors. `what()` has one line for each problem, at most 200 and
/// then a count. Each line starts with its own place, so `where()` and `hint()` are empty. `code()`
/// is the errors' common code, else kInvalid: kNotFound (exit status 66) if every error is an
/// unknown name, kConfig (78) for configuration files.
class InvalidApp : public Error {
 public:
  /// `omitted` is the number of further problems that are not in `problems`.
  explicit InvalidApp(std::vector<Problem> problems, std::size_t omitted = 0);

  const std::vector<Problem>& problems() const noexcept { return problems_; }

 private:
  std::vector<Problem> problems_;
};

}  // namespace slipway::spec
