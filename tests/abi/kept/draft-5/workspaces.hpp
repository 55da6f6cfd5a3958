// Workspaces that are copied as a file with the names of their files.
#pragma once

#include "images.hpp"
#include "record.hpp"
#include "slipway/workspace.hpp"

namespace kept {

class Workspaces : public slipway::Workspace {
 public:
  using Workspace::Workspace;

  slipway::WorkspaceResult plan(const slipway::WorkspaceOrder& order,
                                const slipway::Call& /*call*/) override {
    if (!is_directory(path_of(order.source)))
      throw slipway::Error(slipway::Code::kNotFound, "the workspace is no directory");
    return {order.directory + '/' + order.name, -1, -1};
  }

  slipway::WorkspaceResult build(const slipway::WorkspaceOrder& order,
                                 const slipway::Call& call) override {
    slipway::WorkspaceResult out = plan(order, call);
    const std::string unfinished = out.image + ".part";
    if (is_directory(out.image))
      throw slipway::Error(slipway::Code::kExists, "the copy exists already");
    make_directories(unfinished);
    if (!list_files(path_of(order.source), unfinished + '/' + kFiles) ||
        std::rename(unfinished.c_str(), out.image.c_str()) != 0) {
      remove_copy(unfinished);
      throw slipway::Error(slipway::Code::kCantCreate, "cannot write the copy " + out.image);
    }
    return out;
  }

  void discard(std::string_view image, const slipway::Call& /*call*/) override {
    const std::string path = path_of(image);
    if (::access((path + '/' + kFiles).c_str(), F_OK) == 0) remove_copy(path);
  }

 private:
  static constexpr const char* kFiles = ".kept_files";

  static void make_directories(const std::string& path) {
    for (std::size_t end = path.find('/', 1); end != std::string::npos;
         end = path.find('/', end + 1))
      ::mkdir(path.substr(0, end).c_str(), 0700);
    if (::mkdir(path.c_str(), 0700) != 0)
      throw slipway::Error(slipway::Code::kCantCreate, "cannot create the directory " + path);
  }

  static bool list_files(const std::string& directory, const std::string& file) {
    const Directory files(::opendir(directory.c_str()));
    const File out(std::fopen(file.c_str(), "wxe"));
    if (files == nullptr || out == nullptr) return false;
    while (const dirent* entry = ::readdir(files.get()))
      std::fprintf(out.get(), "%s\n", entry->d_name);
    return std::fflush(out.get()) == 0;
  }

  static void remove_copy(const std::string& path) {
    ::unlink((path + '/' + kFiles).c_str());
    ::rmdir(path.c_str());
  }
};

}  // namespace kept
