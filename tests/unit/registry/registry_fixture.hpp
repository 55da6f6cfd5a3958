// Shared by the tests of the registry: a temporary directory, an environment, a host, and the error
// of a call.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/registry/calls/call_error.hpp"
#include "core/registry/manifests/search_path.hpp"
#include "slipway/abi/host.h"
#include "slipway/error.hpp"
#include "tests/unit/built_files.hpp"

namespace slipway::registry::test {

/// A temporary directory; the destructor removes it with its content.
class TempTree {
 public:
  TempTree() {
    std::string name =
        (std::filesystem::temp_directory_path() / "slipway_registry_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no directory for the test");
    root_ = name;
  }
  TempTree(const TempTree&) = delete;
  TempTree& operator=(const TempTree&) = delete;
  ~TempTree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  std::string path(const std::string& relative) const { return root_ + "/" + relative; }

  /// Writes a file, creates the directories above it, and returns its absolute path.
  std::string write(const std::string& relative, std::string_view text) const {
    const std::string file = path(relative);
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    std::ofstream(file, std::ios::binary)
        .write(text.data(), static_cast<std::streamsize>(text.size()));
    return file;
  }

  std::string copy(const std::string& from, const std::string& relative) const {
    return write(relative, contents(from));
  }

  static std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

 private:
  std::string root_;
};

/// Sets an environment variable for the lifetime of this object; nullptr unsets it.
class ScopedEnv {
 public:
  ScopedEnv(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    assign(value);
  }
  ScopedEnv(const ScopedEnv&) = delete;
  ScopedEnv& operator=(const ScopedEnv&) = delete;
  ~ScopedEnv() { assign(before_ ? before_->c_str() : nullptr); }

 private:
  void assign(const char* value) const {
    if (value != nullptr) {
      setenv(name_, value, 1);
    } else {
      unsetenv(name_);
    }
  }
  const char* name_;
  std::optional<std::string> before_;
};

/// An environment in which only the files of the test can be found.
struct Isolated {
  TempTree tree;
  ScopedEnv plugin_path{"SLIPWAY_PLUGIN_PATH", nullptr};
  ScopedEnv no_plugins{"SLIPWAY_NO_PLUGINS", nullptr};
  ScopedEnv user_directory{"XDG_CONFIG_HOME", tree.path("user").c_str()};

  SearchOptions options() const {
    SearchOptions found;
    found.prefix = tree.path("vendor");
    found.site_dir = tree.path("site/plugins.d");
    found.elevated = false;
    return found;
  }
};

/// Returns the Error that `call` throws, or a kUnimplemented one with "nothing was thrown".
template <class Call>
Error error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return Error(Code::kUnimplemented, "nothing was thrown");
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// A host that stores the log messages of plug-ins.
class RecordingHost {
 public:
  RecordingHost() {
    table_.struct_size = sizeof table_;
    table_.abi_minor = SLIPWAY_ABI_MINOR;
    table_.ctx = this;
    table_.log = [](const slipway_host* self, int32_t, slipway_str message) {
      static_cast<RecordingHost*>(self->ctx)->messages.emplace_back(message.ptr, message.len);
    };
    table_.error_set = [](slipway_error* error, slipway_status code, slipway_str message,
                          slipway_str hint, slipway_str) {
      error->code = code;
      error->message.assign(message.ptr, message.len);
      if (hint.ptr != nullptr) error->hint.assign(hint.ptr, hint.len);
    };
  }
  RecordingHost(const RecordingHost&) = delete;
  RecordingHost& operator=(const RecordingHost&) = delete;

  const slipway_host* table() const { return &table_; }

  std::vector<std::string> messages;

 private:
  slipway_host table_{};
};

using slipway::test::bad_plugin;

}  // namespace slipway::registry::test
