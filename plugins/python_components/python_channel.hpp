// The sockets between the plug-in and a Python process: the process asks questions, answers the
// request, and dies with the plug-in.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>

#include "slipway/host.hpp"
#include "slipway/owned_fd.hpp"

namespace slipway::python {

/// The process sends lines of JSON: {"resource": NAME, "optional": BOOL} asks for a named resource,
/// and {"answer": OBJECT} ends the request. The plug-in answers a question by a line with the
/// resource, or with {"error": TEXT}. Its first message is an empty line with a descriptor, the
/// process's end of the lifeline: a socket without data, which the kernel reports as closed when
/// the plug-in ends (python/slipway/calls.py).
///
/// Rationale: standard output cannot carry these lines, because the startup files of Python
/// (`sitecustomize.py`, `.pth`) may print there before the bridge runs.
class PythonChannel {
 public:
  /// `host` and `call` must outlive the channel; `subject` names what the request is about in
  /// messages. Throws Error kUnavailable if no descriptor is left.
  PythonChannel(const Host& host, const Call& call, std::string subject);

  /// Returns the plug-in's end of the socket.
  int ours() const { return ours_.get(); }
  /// Returns the process's end of the socket.
  int theirs() const { return theirs_.get(); }

  /// Reads what has arrived, and answers the questions in it. Returns false if nothing more can
  /// arrive, because the process has shut the socket down. The end of the process alone does not
  /// show here: this object keeps theirs() open as well. Throws the host's error for an unknown
  /// resource that is not optional, and Error kInvalid for a line over 64 MiB.
  bool receive();

  /// Returns the answer, also one that arrived while the process ended; nullopt if there is none.
  /// Throws as receive() does.
  std::optional<boost::json::object> answer();

 private:
  enum class Read { kSome, kNothing, kEnd };  // kEnd: nothing more can arrive

  void send_descriptor(int fd);
  Read read_once();
  void handle(std::string_view line);
  std::string resource_answer(const boost::json::object& question) const;
  void send(const std::string& text);

  const Host& host_;
  const Call& call_;
  std::string subject_;
  OwnedFd ours_;
  OwnedFd theirs_;
  OwnedFd lifeline_;
  std::string received_;  ///< the start of a line that is not complete yet
  std::optional<boost::json::object> answer_;
};

}  // namespace slipway::python
