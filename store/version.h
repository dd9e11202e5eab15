// SPDX-License-Identifier: Apache-2.0
// The version of answers from a store: the database's own name of the snapshot on which they were
// computed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace fractalray {

// A snapshot of a PostgreSQL database, as pg_current_snapshot() names it: "899:905:899,901" sees
// the transactions before number 905 that have ended, all but 899 and 901. Two snapshots of one
// database with the same name have the same content. Numbers alone would not do: transactions
// commit in any order. A value type; const use is safe from any thread.
class DatabaseSnapshot {
 public:
  // Makes the snapshot of an empty database, "1:1:", which every other one includes.
  DatabaseSnapshot() = default;
  // Parses such a name. INVALID_ARGUMENT for any other text.
  static absl::StatusOr<DatabaseSnapshot> parse(std::string_view text);

  // Returns the name.
  std::string text() const;
  // Returns the number of the oldest transaction that had not ended.
  std::uint64_t oldestRunning() const { return oldest_; }
  // Returns the number that the next transaction was to get.
  std::uint64_t next() const { return next_; }
  // Returns the numbers of the transactions before next() that had not ended, ascending.
  const std::vector<std::uint64_t>& running() const { return running_; }
  // Returns true if the transaction of that number had ended: what it has committed is seen.
  bool sees(std::uint64_t transaction) const;
  // Returns true if this one sees all that `earlier` sees. Cost: O(n log n) of the transactions
  // that they name.
  bool includes(const DatabaseSnapshot& earlier) const;

  friend bool operator==(const DatabaseSnapshot&, const DatabaseSnapshot&) = default;

 private:
  std::uint64_t oldest_ = 1;
  std::uint64_t next_ = 1;
  std::vector<std::uint64_t> running_;  // ascending, from oldest_ to below next_
};

// The version of an answer: equal versions mean equal content of the map.
struct StoreVersion {
  // The identity of the store, which `fractalray store init` gives it.
  std::string world;
  DatabaseSnapshot blocks;

  // Returns "WORLD@899:905:899,901", and parses such a text: INVALID_ARGUMENT for any other one.
  std::string text() const;
  static absl::StatusOr<StoreVersion> parse(std::string_view text);

  friend bool operator==(const StoreVersion&, const StoreVersion&) = default;
};

}  // namespace fractalray
