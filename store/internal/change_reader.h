// SPDX-License-Identifier: Apache-2.0
// Finds out what has changed in a store since a version of it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../../core/vec.h"
#include "../version.h"
#include "store_link.h"

namespace fractalray {

// The step from one version to a later one.
struct StoreChanges {
  StoreVersion version;
  StoreTime asked_at{};  // the version is not older than this
  // True if it is not known what has changed: there is no version to compare with, the log was cut,
  // a trigger was disabled for a while, too much has changed, or the store is another one or has
  // gone back, as after restoring a backup.
  bool all = false;
  std::vector<ChunkCoord> mapblocks{};  // those changed, some repeatedly, unless `all`
};

// Asks for changes: whatever order transactions commit in, those that the version does not see and
// the present snapshot does. Notices are hints: without any it asks each second. Triggers
// are compared with those of the last changes that were returned. Not thread-safe.
class ChangeReader {
 public:
  static constexpr std::chrono::milliseconds kPollInterval{1000};
  // More entries of the log than this are `all`.
  static constexpr int kMostChanges = 100'000;

  // The link must outlive it.
  explicit ChangeReader(StoreLink& link) : link_(link) {}

  // Continues, without waiting, what was begun. Begins to ask if a notice has come, or after
  // kPollInterval. Returns the changes if an answer has come. Waits on a new connection alone, for
  // the columns of the tables. Errors are those that waiting does not mend: FAILED_PRECONDITION,
  // PERMISSION_DENIED.
  absl::StatusOr<std::optional<StoreChanges>> poll(const std::optional<StoreVersion>& since);

  // Asks, and waits until `until` at most. Then all that is read by the link is of that snapshot,
  // until end(). Errors as above, and UNAVAILABLE.
  absl::StatusOr<StoreChanges> begin(const std::optional<StoreVersion>& since, StoreTime until);
  // Ends the snapshot, without waiting; without memory, with the connection. Does nothing if there
  // is none.
  void end() noexcept;
  bool isOpen() const { return is_open_; }

 private:
  // Checks the tables, once for each connection.
  absl::Status check();
  absl::StatusOr<StoreChanges> read(const std::vector<Rows>& answers,
                                    const std::optional<StoreVersion>& since, StoreTime asked_at);

  StoreLink& link_;
  std::size_t checked_connection_ = 0;
  bool is_open_ = false;
  std::optional<StoreTime> asked_at_;        // the last time
  bool is_asking_ = false;                   // by poll()
  std::optional<StoreVersion> asked_since_;  // by poll()
  std::string triggers_;                     // as StoreState has them
  std::optional<StoreVersion> triggers_at_;  // the version of the last changes, when these were so
};

}  // namespace fractalray
