// SPDX-License-Identifier: Apache-2.0
// The tables of a store: Luanti's own `blocks`, and next to it the log of its changes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../version.h"
#include "rows.h"
#include "store_link.h"

namespace fractalray {

// The version of the tables that this library makes and reads.
inline constexpr std::uint64_t kStoreFormat = 1;

// Makes what is missing, all or nothing:
//
//   blocks    (posx, posy, posz, data), as Luanti makes it
//   fr_store  (world, home, format, cut_by, cut), one row: the store's identity, the database and
//             table that it is of, the transaction that last cut the log, and the newest one whose
//             entries were cut
//   fr_log    (xid, at, posx, posy, posz): the transaction that changed a mapblock
//   fr_types  (number, name): node names, in the order of their block types
//
// Triggers write the log in the transaction of the change, with the rights of the role that makes
// them here, keep account of what is cut off the log, and notify fr_blocks. If any was missing, the
// log counts as cut. A store that was copied or restored gets a new identity. Errors:
// FAILED_PRECONDITION for a table of such a name with other columns, and for a newer format.
// Requires: the link is ready.
absl::Status makeSchema(StoreLink& link);

// Checks that the tables are there and have these columns: FAILED_PRECONDITION, with the remedy.
// Requires: the link is ready.
absl::Status checkTables(StoreLink& link);

// The state of a store in one snapshot.
struct StoreState {
  StoreVersion version;
  // The columns of fr_store.
  std::uint64_t cut_by = 0;
  std::uint64_t cut = 0;
  // The rows of the triggers and the transactions that made them. Another text than that of an
  // earlier state: they may have been disabled between the two, or dropped and made again, and
  // changes are missing in the log.
  std::string triggers{};

  // Returns true if the log has all that was changed since a snapshot of the same store: it was cut
  // before that, or only of entries that the snapshot sees.
  bool hasAllSince(const DatabaseSnapshot& snapshot) const {
    return snapshot.sees(cut_by) || cut < snapshot.oldestRunning();
  }
};

// A query for the state, to be run in the transaction whose snapshot it names; and what its answer
// says. FAILED_PRECONDITION, with the remedy, for another format, if a trigger is missing, disabled
// or not for sessions that replicate, since then changes are lost, and if the tables were copied or
// restored from elsewhere.
extern const char* const kStoreStateQuery;
absl::StatusOr<StoreState> readStoreState(const std::string& name, const Rows& answer);

// Returns the names of block types that are listed, by number. Requires: the link is ready.
absl::StatusOr<std::vector<std::string>> listedTypes(StoreLink& link);

}  // namespace fractalray
