// SPDX-License-Identifier: Apache-2.0
// A connection to a server. A library for a system without POSIX sockets has no_remote.cc in place
// of remote_connection.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../fractalray_c.h"

namespace fractalray::capi {

// The batches that a server answers.
enum class RemoteVerb { kClosestHits, kCompactHits, kOccludedMany };

// A call, checked, and the caller's arrays for its answer; all but `answers` may be null.
struct RemoteCall {
  RemoteVerb verb{};
  const frLines* lines = nullptr;
  frLevelMask levels = 0;
  const frQueryOptions* options = nullptr;
  void* answers = nullptr;  // frHit, frCompactHit or std::uint8_t, by the verb
  double* unknown_from = nullptr;
  frBlocker* blockers = nullptr;
  frResult* results = nullptr;
  frBatchResult* batch = nullptr;
};

// The first error of a line of a batch that has been answered.
struct LineError {
  std::size_t line = 0;
  absl::Status status;
};

class Remote {
 public:
  Remote() = default;
  virtual ~Remote() = default;
  Remote(const Remote&) = delete;
  Remote& operator=(const Remote&) = delete;

  // Answers a call: fills its arrays, and sets `error` if a line has one. Connects again if the
  // connection has broken since. Errors: frRemote_ClosestHits.
  virtual absl::Status ask(const RemoteCall& call, LineError& error) = 0;

  // Returns the names of the server's block types, by number; asks for them once. Errors: those of
  // a call, and FAILED_PRECONDITION if its table may change.
  virtual absl::StatusOr<std::span<const std::string>> blockTypes() = 0;

  // Sends a tick, which has been checked. Errors: frRemote_FeedTick.
  virtual absl::Status feed(const frEntityTick& tick) = 0;

  // Returns the version of the last answer, or of the world as it was when it was connected.
  virtual const std::string& version() const = 0;
  // Returns the members of frRemoteInfo but its size.
  virtual frRemoteInfo info() const = 0;
  virtual void setDeadline(std::uint64_t deadline_us) = 0;
  // Sets the version that later answers are to include; empty for any. INVALID_ARGUMENT for a text
  // that is too long.
  virtual absl::Status setAtLeast(std::string version) = 0;
};

// Connects to a server. Requires: pointers of the options are null or right. Errors: frConnect;
// UNIMPLEMENTED without sockets.
absl::StatusOr<std::unique_ptr<Remote>> connectRemote(const std::string& address,
                                                      const frConnectOptions& options);

}  // namespace fractalray::capi
