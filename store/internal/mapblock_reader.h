// SPDX-License-Identifier: Apache-2.0
// Reads mapblocks of a store as chunks, by their positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/vec.h"
#include "../../formats/luanti_mapblock.h"
#include "../../formats/open_world.h"
#include "../../levels/chunk.h"
#include "../../levels/world.h"
#include "store_link.h"

namespace fractalray {

// Counts of mapblocks that were asked for. Those of the last four have no chunk.
struct MapblockCounts {
  std::uint64_t loaded = 0;
  std::uint64_t not_stored = 0;
  std::uint64_t not_generated = 0;
  std::uint64_t unsupported = 0;  // of a version that is not read
  std::uint64_t damaged = 0;
  std::uint64_t bytes = 0;  // as stored
};

// Reads on a link, in whatever transaction is open there. Not thread-safe.
class MapblockReader {
 public:
  // Receives a mapblock; nothing if it has no chunk.
  using Visit = absl::FunctionRef<absl::Status(const ChunkCoord& at, std::optional<Chunk> chunk)>;

  // All arguments must outlive it. Asks for `at_once` mapblocks in one query. `definitions`: those
  // of the decoder, or null. `max_bytes`: the decoder's limit; what has more bytes even as stored
  // counts as damaged, and is not sent. Requires: at_once > 0.
  MapblockReader(StoreLink& link, MapblockDecoder& decoder, const BlockTypeTable& types,
                 const NodeDefinitions* definitions, std::size_t at_once, std::uint64_t max_bytes)
      : link_(link),
        decoder_(decoder),
        types_(types),
        has_definitions_(definitions != nullptr),
        at_once_(at_once),
        max_bytes_(max_bytes) {}

  // Calls `visit` once for each of these mapblocks, until it returns an error, which is then
  // returned. Nodes that grow towards their neighbours do so; therefore neighbours are read, too.
  // Other errors: those of the link, and RESOURCE_EXHAUSTED of the decoder. Requires: the
  // positions differ. Cost: a query for each at_once of them, 30 us each to decode.
  absl::Status read(std::span<const ChunkCoord> mapblocks, Visit visit);

  // Returns the positions of the mapblocks of a box that are stored, in their order: the first ones
  // after `after`, at most `limit`. Cost: in a box of 16 mapblocks along x and y, a search for each
  // column; in a larger one, O(the stored mapblocks between its ends along x).
  absl::StatusOr<std::vector<ChunkCoord>> stored(const ChunkBox& box, std::size_t limit,
                                                 const std::optional<ChunkCoord>& after = {});
  // Returns the chunks of a coarser level that contain stored mapblocks of a box. Cost: as of a
  // larger box.
  absl::StatusOr<std::vector<ChunkCoord>> storedChunks(const ChunkBox& box, int level);

  // Returns true if a mapblock's chunk depends on its six neighbours.
  bool readsNeighbours() const { return has_definitions_; }
  const MapblockCounts& counts() const { return counts_; }
  // Returns the first of the damaged mapblocks, kMostNamed at most, with the reason.
  const std::vector<DamagedChunk>& namedDamages() const { return named_damages_; }
  static constexpr std::size_t kMostNamed = 20;

 private:
  using Decoded = absl::flat_hash_map<ChunkCoord, DecodedMapblock>;

  absl::Status readSome(std::span<const ChunkCoord> mapblocks, Visit visit);
  // Reads these mapblocks, and adds those that have chunks. Returns the number of those stored.
  absl::StatusOr<std::size_t> fetch(std::span<const ChunkCoord> mapblocks, Decoded& decoded);
  // Decodes the blob of a row; nothing if it has no chunk.
  absl::StatusOr<std::optional<DecodedMapblock>> decode(const ChunkCoord& at, const Rows& rows,
                                                        int row);
  void noteDamage(const ChunkCoord& at, const absl::Status& damage);
  // Connects the nodes that grow towards their neighbours.
  absl::Status connect(Decoded& decoded);
  absl::StatusOr<std::vector<ChunkCoord>> positions(const char* statement,
                                                    std::span<const std::string> parameters);

  StoreLink& link_;
  MapblockDecoder& decoder_;
  const BlockTypeTable& types_;
  bool has_definitions_;
  std::size_t at_once_;
  std::uint64_t max_bytes_;
  MapblockCounts counts_;
  std::vector<DamagedChunk> named_damages_;
};

// Returns the box of the mapblocks of a chunk, of those that a map may have.
ChunkBox mapblocksOf(int level, const ChunkCoord& at);

}  // namespace fractalray
