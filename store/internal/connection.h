// SPDX-License-Identifier: Apache-2.0
// A connection to PostgreSQL that never waits longer than it is allowed to.
#pragma once

#include <poll.h>

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "rows.h"

struct pg_conn;  // libpq's

namespace fractalray {

using StoreClock = std::chrono::steady_clock;
using StoreTime = StoreClock::time_point;

// Returns "postgresql://host:port/database" for messages, without user, password and options.
// INVALID_ARGUMENT for a text that libpq does not understand.
absl::StatusOr<std::string> storeName(const std::string& url);

// One connection, on which one thing at a time is begun, and waited for: connecting, or a query.
// Errors begin with the store's name; after any of them, the connection is of no more use. Not
// thread-safe.
class Connection {
 public:
  // Begins to connect. Resolving the name of a host is up to the system, and may take its time.
  Connection(const std::string& url, std::string name);

  // Begin a query: of statements without parameters, whose values come as text, or of one with
  // parameters, given as text, whose values come in binary. Require: nothing else is running.
  absl::Status begin(const std::string& statements);
  absl::Status begin(const std::string& statement, std::span<const std::string> parameters);

  // Waits for the end of what was begun. DEADLINE_EXCEEDED if it does not end in time: then it is
  // still running, and may be waited for again. UNAVAILABLE if the connection is lost, the server
  // is shutting down, or has cancelled the query or ended the session, also by one of its
  // time-outs; PERMISSION_DENIED, also for a wrong or missing password; FAILED_PRECONDITION if a
  // table is missing; ABORTED if the query should be repeated; INTERNAL for other errors of the
  // server.
  absl::Status wait(StoreTime deadline);

  // Moves out the answers to the statements of the query that has ended, one each.
  std::vector<Rows> take();
  // Reads, without waiting, what the server has sent by itself: returns true if there was a notice.
  // Requires: nothing is running.
  absl::StatusOr<bool> hear();

 private:
  struct Close {
    void operator()(pg_conn* connection) const;
  };

  absl::Status connect(StoreTime deadline);
  absl::Status finishQuery(StoreTime deadline);
  // Waits until the socket is ready for any of these events of poll().
  absl::Status awaitSocket(short events, StoreTime deadline);
  absl::Status lost() const;
  // As lost(), of a connection that could not be made.
  absl::Status refused() const;

  std::string name_;
  std::unique_ptr<pg_conn, Close> connection_;
  bool is_connecting_ = true;
  bool is_asking_ = false;
  short next_event_ = POLLOUT;  // of connecting
  std::vector<Rows> answers_;
  absl::Status error_;  // the first one of the query's statements
};

}  // namespace fractalray
