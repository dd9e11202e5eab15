// SPDX-License-Identifier: Apache-2.0
// A Luanti map of which a store and a map.sqlite are made, and lines whose answers are compared.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "../../core/vec.h"
#include "../../formats/open_world.h"
#include "../../query/batch.h"
#include "../../query/batch_query.h"
#include "../../query/query_options.h"
#include "../formats/luanti_fixture.h"
#include "../oracle/rng.h"
#include "postgres_server.h"

namespace fractalray::store_fixture {

using luanti_fixture::Bytes;

// Returns a mapblock of one node, or of random ones: of air with a few of the others, of half and
// half, or of one alone.
Bytes mapblockOf(const std::string& node);
Bytes randomMapblock(oracle::Rng& rng);

// The rows of a map.
class MapModel {
 public:
  // Writes a mapblock, also to a store unless it is null; and removes one.
  void put(const ChunkCoord& at, const Bytes& blob, Sql* store);
  void erase(const ChunkCoord& at, Sql* store);

  // Fills a box with random mapblocks: a third of them absent, some not generated, of another
  // version or damaged.
  void fill(oracle::Rng& rng, const ChunkBox& box, Sql* store);
  // Takes over what a store has.
  void readStore(Sql& store) { rows_ = store.mapblocks(); }
  // Reads the bundled world.
  void readBundled(Sql* store);

  // Opens it, as one process with the whole map does.
  OpenedWorld whole(const OpenOptions& options = {}) const;

  const std::map<ChunkCoord, Bytes>& rows() const { return rows_; }
  // Returns the box of the mapblocks.
  ChunkBox box() const;

 private:
  std::map<ChunkCoord, Bytes> rows_;
};

// Returns random queries in a box of mapblocks and around it: along axes, through corners of
// mapblocks, far beyond the map, rays; each with one of the masks.
std::vector<BatchQuery> randomQueries(oracle::Rng& rng, const ChunkBox& box, std::size_t count,
                                      const std::vector<LevelMask>& masks);
// Returns masks of every kind: single levels, neighbouring ones, with gaps, all.
std::vector<LevelMask> allMasks();

// Returns in how many answers two batches on different tables of types differ; the first one fails
// the test.
std::size_t countDifferent(const ClosestBatch& expected, const BlockTypeTable& expected_types,
                           const ClosestBatch& got, const BlockTypeTable& got_types);

}  // namespace fractalray::store_fixture
