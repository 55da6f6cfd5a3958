// A page that a check's process shares with the kit: what it was about to do when it ended.
#pragma once

#include <string>
#include <string_view>

namespace slipway::check {

/// Shared between processes of one fork; neither locks nor allocates after construction. One process writes at a time.
class Board {
 public:
  /// Throws std::system_error when the system has no page to share.
  Board();
  ~Board();
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;

  void clear();

  /// "describe": the function of the plug-in that is about to be called. Cut where it is too long.
  void step(std::string_view what);
  std::string last_step() const;

  /// An app that was submitted and has not been seen to end; empty takes it back.
  void submitted(std::string_view app_id);
  std::string left_behind() const;

 private:
  struct Page;
  Page* page_;
};

}  // namespace slipway::check
