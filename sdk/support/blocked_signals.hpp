// Keeps the signals of a process away from the threads of a plug-in.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace slipway {

/// Blocks all signals in the calling thread for the lifetime of the object. A thread that starts
/// meanwhile inherits that, so that the host's own threads handle the signals, as the contract
/// demands (abi/base.h).
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &previous_);
  }
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t previous_{};
};

}  // namespace slipway
