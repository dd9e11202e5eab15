// SPDX-License-Identifier: Apache-2.0
// Makes a Luanti map in PostgreSQL a store that caches can read, and checks it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../formats/input_limits.h"
#include "../formats/node_definitions.h"
#include "../formats/node_kinds.h"
#include "../formats/open_world.h"
#include "version.h"

namespace fractalray {

struct StoreSetupOptions {
  // The database, as libpq takes it: "postgresql://host/world".
  std::string url;
  // The most that one answer of the database may take, locks held by others included.
  std::chrono::milliseconds timeout{60'000};
  // The kinds and shapes of nodes, by which types are listed: those that caches are to use with
  // CachedWorldOptions::listed_types. Null for the built-in kinds, and for nodes that fill their
  // cubes.
  const NodeKinds* node_kinds = nullptr;
  const NodeDefinitions* definitions = nullptr;
  // Called now and then, and at the end, with the mapblocks read so far and about how many there
  // are.
  std::function<void(std::size_t done, std::size_t total)> progress{};
  InputLimits limits{};
};

// Describes the content of a store, in one snapshot.
struct StoreReport {
  StoreVersion version;
  std::uint64_t mapblocks = 0;  // rows; below, those of each fate
  std::uint64_t loaded = 0;
  std::uint64_t not_generated = 0;
  std::uint64_t unsupported = 0;
  std::uint64_t damaged = 0;
  std::uint64_t outside = 0;                  // at positions that no map has
  std::vector<DamagedChunk> named_damages{};  // the first 20
  std::uint64_t bytes = 0;                    // of blobs
  // The sum of the mapblocks' fingerprints, with types numbered as they are listed: that of
  // chunksFingerprint() in a cache with CachedWorldOptions::listed_types that has loaded all.
  std::uint64_t fingerprint = 0;
  std::uint64_t logged = 0;  // entries of the log of changes
  // The block types that are listed, and the names of those that the map has besides: until they
  // are listed, caches that use the list refuse what contains them.
  std::uint64_t types = 0;
  std::vector<std::string> unlisted{};

  // Returns true if mapblocks are stored that no cache can load.
  bool isPartial() const { return unsupported > 0 || damaged > 0 || outside > 0; }
};

// Makes what a store needs in a database: Luanti's table, if it is not there, the log of changes
// with its triggers, and the list of block types, to which it adds those that it finds. All may be
// there already; a server may be writing. The triggers have the rights of the role that runs this:
// Luanti's needs none to the log. Errors begin with the store's name: INVALID_ARGUMENT for a URL
// that cannot be read; UNAVAILABLE; PERMISSION_DENIED; FAILED_PRECONDITION for a table of the same
// name that is neither Luanti's nor a store's, a standby, and a server older than PostgreSQL 13;
// ABORTED if two run at once. Cost: that of checkStore(), and a lock on the map while triggers are
// made.
absl::StatusOr<StoreReport> initStore(const StoreSetupOptions& options);

// Reads the whole map, changes nothing. Errors as above, and FAILED_PRECONDITION if anything is
// missing. Cost: 50 us a mapblock.
absl::StatusOr<StoreReport> checkStore(const StoreSetupOptions& options);

}  // namespace fractalray
