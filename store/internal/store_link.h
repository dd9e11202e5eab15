// SPDX-License-Identifier: Apache-2.0
// The way to a store: one connection, made again whenever it is lost.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "connection.h"
#include "rows.h"

namespace fractalray {

// Connects when it is needed; after a failure not before a delay, which grows from kFirstDelay to
// kLastDelay until a query succeeds. The server is PostgreSQL 13 or newer and no standby, else
// FAILED_PRECONDITION: what a standby names its snapshots leaves out the transactions that run.
// Whatever takes longer than the time-out is UNAVAILABLE, and ends the connection. Errors begin
// with the store's name. Not thread-safe.
class StoreLink {
 public:
  static constexpr std::chrono::milliseconds kFirstDelay{20};
  static constexpr std::chrono::milliseconds kLastDelay{1000};

  // Connects to nothing yet. `timeout`: the most that a connection and a query may take each.
  StoreLink(std::string url, std::string name, std::chrono::milliseconds timeout);

  const std::string& name() const { return name_; }
  // Returns an error with the store's name before its message.
  absl::Status named(const absl::Status& error) const;

  // Waits until `until` for a connection on which nothing runs. If it is in the past, does not
  // wait, but continues what has been begun. The answer of a query in progress is in takeAnswer().
  // DEADLINE_EXCEEDED, with the last failure, if there is none by then.
  absl::Status ready(StoreTime until);

  // Tries it once, as long as the time-out: UNAVAILABLE, with the failure. For people, who want to
  // know at once what is wrong with a URL.
  absl::Status connect();

  // Run statements without parameters, whose values come as text, or one with parameters, whose
  // values come in binary, and wait. The last failure if the connection has been lost since it was
  // ready. Require: it was.
  absl::StatusOr<std::vector<Rows>> run(const std::string& statements);
  absl::StatusOr<Rows> run(const std::string& statement, std::span<const std::string> parameters);

  // Begins a query for which nobody waits. Does nothing, as below, without a connection.
  void start(const std::string& statements);
  // Moves out the answer to the last query that was started; nothing before it is there.
  std::optional<std::vector<Rows>> takeAnswer();

  // Returns true if a notice has come since the last call, or the connection is a new one.
  bool hear();
  // Ends the connection: the next one is made after the delay.
  void drop(const absl::Status& failure);
  // Counts the connections that have been made.
  std::size_t connections() const { return connections_; }

 private:
  enum class Stage { kConnecting, kSettingUp, kIdle, kAsking };

  // As ready(), but UNAVAILABLE after a failure.
  absl::Status tryReady(StoreTime until);
  // Takes what has ended, and begins what follows it.
  absl::Status advance();
  absl::Status checkServer(const std::vector<Rows>& answers) const;
  // Waits for the query that was begun.
  absl::StatusOr<std::vector<Rows>> finish(absl::Status begun);
  absl::Status late() const;

  std::string url_;
  std::string name_;
  std::chrono::milliseconds timeout_;
  std::optional<Connection> connection_;
  Stage stage_ = Stage::kConnecting;
  StoreTime expires_{};  // when what was begun takes too long
  StoreTime retry_at_{};
  std::chrono::milliseconds delay_ = kFirstDelay;
  absl::Status failure_;  // the last one
  std::optional<std::vector<Rows>> answer_;
  bool heard_ = false;
  std::size_t connections_ = 0;
};

}  // namespace fractalray
