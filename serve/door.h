// SPDX-License-Identifier: Apache-2.0
// The interface of another way into a server than the sockets of its own loop: another protocol.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"

#include "call_gate.h"

namespace fractalray::serve {

// A door lets its calls in by the gate of the server, so that they share its queue, limits, tokens
// and metrics with all others; `Call::answered` takes their answers back.
class Door {
 public:
  Door() = default;
  virtual ~Door() = default;
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  // Begins to listen and to let calls in; these may wait until the server runs. Errors:
  // Server::open(). The gate outlives the door's last call. Called once.
  virtual absl::Status open(CallGate& gate) = 0;
  // Returns the addresses at which it listens. Requires: open.
  virtual std::vector<std::string> addresses() const = 0;
  // Refuses calls from now on.
  virtual void drain() = 0;
  // Returns true if no call is being received, waits, runs or is being sent. Safe from any thread.
  virtual bool isDrained() const = 0;
  // Marks all calls as ones for which nobody waits.
  virtual void cancel() = 0;
  // Ends all connections, and returns once no call uses the gate. Does nothing if it is not open.
  // Requires: no worker runs, and none has calls of this door left.
  virtual void close() = 0;
};

}  // namespace fractalray::serve
