// Writes the lines of the journal about replicas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "plugins/local/engine/app_state.hpp"
#include "plugins/local/supervisor/record/app_files.hpp"

namespace slipway::local {

/// Writes journal lines from the entries of replicas, and increases the sequence number of the
/// state file for each line. Not thread safe.
class ReplicaJournal {
 public:
  /// `files` must outlive this.
  explicit ReplicaJournal(AppFiles& files) : files_(files) {}

  /// Writes a line with the word `what`, and with the end of the replica if it has one.
  void write(std::uint32_t index, std::string_view what);
  /// Writes the line about a final state.
  void write_end(std::uint32_t index);
  /// Writes the line about an attempt that ended in `state` and that another one follows, and waits
  /// until the line is in the file. `logs` has the sizes of its streams at that time. Returns false
  /// with errno set if the line cannot be written.
  bool write_attempt(std::uint32_t index, AppState state, const LogEnds& logs);

 private:
  void begin_line(std::uint32_t index, std::string_view what);
  void add_end(std::uint32_t index);
  void add_number(const char* name, std::int64_t number);
  std::uint64_t word(std::uint32_t index) const;

  AppFiles& files_;
  std::string line_;
};

}  // namespace slipway::local
