// SPDX-License-Identifier: Apache-2.0
// The server: listens, and answers the batches of its clients from a world.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "door.h"
#include "serve_limits.h"
#include "source.h"
#include "tokens.h"

namespace fractalray::serve {

struct ServeOptions {
  std::vector<std::string> listen;  // "unix:PATH", "tcp:HOST:PORT"; one or more, or a door
  std::vector<std::shared_ptr<Door>> doors;
  std::string metrics;  // where metrics are served by HTTP: "tcp:HOST:PORT"; or empty
  Tokens tokens;
  Tokens feed_tokens;  // those that may feed entities, too; nobody may if there are none
  int threads = 1;     // that answer calls; 1 to 1,024
  ServeLimits limits;
  // A descriptor that can be read once the server is to stop, such as that of a pipe to which a
  // signal handler writes; -1 for none.
  int stop = -1;
};

// One thread runs the loop, which receives and sends; others answer calls. A client, whatever it
// does or fails to do, ends no more than its own connection. docs/serve.md.
class Server {
 public:
  // Listens. INVALID_ARGUMENT for wrong options, ALREADY_EXISTS for an address in use by another
  // server, UNAVAILABLE for what the system refuses. Requires: the source outlives the server.
  static absl::StatusOr<std::unique_ptr<Server>> open(const ServeOptions& options,
                                                      AnswerSource& source);
  virtual ~Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Serves until it is to stop; then accepts nothing more, answers the calls whose frames have
  // begun to arrive, for at most limits.drain_time, and returns. UNAVAILABLE if the system has not
  // so many threads, RESOURCE_EXHAUSTED if it has no memory for them; later on the server outlives
  // a lack of memory, which ends no more than the connections that need it. Call it once.
  virtual absl::Status run() = 0;
  // Makes run() stop. Safe from any thread and from a signal handler.
  virtual void stop() noexcept = 0;

  // Returns the addresses at which it listens, then those of doors, that of the metrics last if
  // there is one. Ports that were 0 are those that the system has chosen.
  virtual std::vector<std::string> addresses() const = 0;

 protected:
  Server() = default;
};

}  // namespace fractalray::serve
