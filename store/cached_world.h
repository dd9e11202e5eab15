// SPDX-License-Identifier: Apache-2.0
// A cache of a Luanti map in PostgreSQL: a world into which queries load what they need.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/parallel_for.h"
#include "../entities/entity_index.h"
#include "../formats/input_limits.h"
#include "../formats/node_definitions.h"
#include "../formats/node_kinds.h"
#include "../levels/world.h"
#include "../query/batch.h"
#include "../query/batch_query.h"
#include "../query/query_options.h"
#include "version.h"

namespace fractalray {

struct CachedWorldOptions {
  // The database, as libpq takes it: "postgresql://host/world".
  std::string url;
  // The most bytes of chunks. May be exceeded within a call, by what 256 of its lines need.
  std::size_t memory_bytes = std::size_t{1} << 30;
  // The most age of an answer: how long ago its version was the store's newest. 0 for answers that
  // are as new as the call, each for a question to the store.
  std::chrono::milliseconds max_age{10'000};
  // The most that a call waits for one answer of the store.
  std::chrono::milliseconds timeout{2'000};
  // The mapblocks read by one query, and those to read at first along a line before it is known how
  // far it gets.
  int fill_chunks = 256;
  int load_ahead = 8;
  // As in OpenOptions: the kinds of nodes, null for the built-in table; their shapes, null if they
  // fill their cubes; the table of types, null for a new one. The first two must outlive the cache.
  const NodeKinds* node_kinds = nullptr;
  const NodeDefinitions* definitions = nullptr;
  std::shared_ptr<BlockTypeTable> block_types = nullptr;
  // True to give block types the numbers that `fractalray store init` has given them, as all caches
  // with this option do: for answers that leave the process with numbers of types. The table of
  // types is closed then: what needs a mapblock with a type that is not listed is
  // FAILED_PRECONDITION, until the list is made again and another cache is opened.
  bool listed_types = false;
  InputLimits limits{};
};

// The options of queries of a cache.
struct CachedQuery {
  QueryOptions query{};  // max_batch_steps is ignored
  // The answer's version is to include this one: that of a writer, or of another cache.
  std::optional<StoreVersion> at_least{};
  // The most that the call waits for the store, if that is less than the time-out of the options. A
  // query that has begun has the latter.
  std::optional<std::chrono::milliseconds> timeout{};
  // False to ask the store for `at_least` once: ABORTED at once if it does not have that yet.
  bool awaits_version = true;
  // When to load no more, DEADLINE_EXCEEDED, which may be noticed some 200 ms later; and what
  // another thread sets for that, CANCELLED, or null. Chunks loaded by then stay: the next call
  // continues from there.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  const std::atomic<bool>* is_cancelled = nullptr;
};

// Counts what a cache has done since it was opened.
struct CachedWorldStats {
  std::uint64_t loaded = 0;      // mapblocks decoded, again and again
  std::uint64_t not_stored = 0;  // mapblocks found to be absent; below, those without content
  std::uint64_t not_generated = 0;
  std::uint64_t unsupported = 0;
  std::uint64_t damaged = 0;
  std::uint64_t changed = 0;   // chunks forgotten since their mapblocks changed
  std::uint64_t dropped = 0;   // chunks forgotten since memory was short
  std::uint64_t restarts = 0;  // times that everything was forgotten
  std::uint64_t connections = 0;
  std::size_t memory_bytes = 0;
  std::chrono::milliseconds age{0};  // of the present version
};

// Answers queries as a process that has opened the whole map would. Loads what their lines need,
// all of one snapshot of the database, which the version names; forgets what has changed since.
// Damaged mapblocks are absent, and counted. Not thread-safe. docs/store.md.
//
// Errors of the store begin with its name: UNAVAILABLE if it does not answer, and what the query
// needs is not there or is older than max_age: the next call tries again; ABORTED if it does not
// have `at_least` in time; FAILED_PRECONDITION if `at_least` is of another world, and if the store
// has to be initialised; PERMISSION_DENIED; RESOURCE_EXHAUSTED without memory, and past 65,536
// block types.
class CachedWorld {
 public:
  // Connects. INVALID_ARGUMENT for options out of their range.
  static absl::StatusOr<std::unique_ptr<CachedWorld>> open(const CachedWorldOptions& options);
  ~CachedWorld();
  CachedWorld(const CachedWorld&) = delete;
  CachedWorld& operator=(const CachedWorld&) = delete;

  // Fills a batch as RayQueryService::closestHit() does, in a world of levels 0 to 3 with
  // entities(); returns the version of all its answers. After an error the batch is empty. Cost:
  // that of the batch, and of a look along each line, at 4 x 4 x 4 mapblocks at once; for what is
  // not loaded, 13 us to read and 30 us to decode a mapblock. Queries of coarse levels:
  // docs/store.md.
  absl::StatusOr<StoreVersion> closestHits(const BatchQueries& queries, const CachedQuery& options,
                                           ClosestBatch& batch,
                                           ParallelFor parallel_for = runSerially);

  // Loads what the first hits of lines need, as closestHits() would, and no more: until the next
  // call, RayQueryService::closestHit() with these lines and options has the answers of the whole
  // map in world(), with whatever entities. Memory is not limited: give some hundred lines at once.
  absl::StatusOr<StoreVersion> loadToHits(const BatchQueries& queries, const CachedQuery& options);
  // Returns true if nothing more is to be loaded for first hits, `until` of which are the times of
  // the lines up to which they depend on blocks: that of the hit; infinity for a line without one.
  // Requires: one time for each line. Cost: that of a look along each line.
  bool hasAllTo(const BatchQueries& queries, std::span<const double> until) const;

  // Load what is on lines, up to their ends, or in a box of chunks of a level (INVALID_ARGUMENT for
  // more than 2^20 chunks): until the next call, service queries of world() of any verb that reach
  // no farther, and levels() of the lines. Memory is not limited.
  absl::StatusOr<StoreVersion> load(const BatchQueries& lines,
                                    const std::optional<StoreVersion>& at_least = {});
  absl::StatusOr<StoreVersion> load(int level, const ChunkBox& box,
                                    const std::optional<StoreVersion>& at_least = {});

  // Takes over changes that the store has reported, asks it if the version is older than max_age or
  // does not include `at_least`, and returns the version. Cost: a look at the connection if there
  // is nothing new.
  absl::StatusOr<StoreVersion> follow(const CachedQuery& options);
  // Takes over the store's changes now, and returns its version.
  absl::StatusOr<StoreVersion> refresh(const std::optional<StoreVersion>& at_least = {});

  // Returns the version of the loaded chunks.
  const StoreVersion& version() const;
  // Returns the world, in which only what was loaded is there; and a snapshot of it, for other
  // threads.
  const World& world() const;
  std::shared_ptr<const World> snapshot();
  // Returns the entities that queries hit: yours, none at first.
  EntityIndex& entities();
  CachedWorldStats stats() const;

 private:
  class Impl;
  explicit CachedWorld(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace fractalray
