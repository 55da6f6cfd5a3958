// A memory page in which a check's process records its progress for the kit.
#pragma once

#include <string>
#include <string_view>

namespace slipway::check {

/// Shared between a process and its forked children. Writing neither locks nor allocates. Only one
/// thread of one process may write at a time.
class ProgressPage {
 public:
  /// Throws NoResources (check.hpp) if no page can be shared.
  ProgressPage();
  ~ProgressPage();
  ProgressPage(const ProgressPage&) = delete;
  ProgressPage& operator=(const ProgressPage&) = delete;

  void clear();

  /// Records the function of the plug-in that the check is about to call, such as "describe";
  /// truncates a long text.
  void step(std::string_view what);
  std::string last_step() const;
  /// Returns the last step that was recorded while no exception unwound the stack. After an
  /// exception it is the function that threw; last_step() may be one that a destructor called.
  std::string last_step_before_unwinding() const;

  /// Records an app that was submitted and has not ended; an empty id clears the record.
  void set_unfinished_app(std::string_view app_id);
  std::string unfinished_app() const;

 private:
  struct Page;
  Page* page_;
};

}  // namespace slipway::check
