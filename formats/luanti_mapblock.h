// SPDX-License-Identifier: Apache-2.0
// Decodes single mapblocks of a Luanti (Minetest) map to chunks, whatever store they come from: a
// database, a cache, a network. docs/luanti.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include "../core/vec.h"
#include "../levels/block_type.h"
#include "../levels/chunk.h"
#include "input_limits.h"
#include "node_definitions.h"
#include "node_kinds.h"

namespace fractalray {

// The serialization versions of mapblocks that are read.
inline constexpr int kOldestSerialization = 28;
inline constexpr int kNewestSerialization = 29;

struct MapblockOptions {
  const NodeKinds* node_kinds = nullptr;         // null for the built-in table
  const NodeDefinitions* definitions = nullptr;  // null if all nodes fill their cube
  // The names of all block types, by number; see OpenOptions::block_type_names. Not kept.
  std::span<const std::string> block_type_names{};
  std::uint64_t max_bytes = InputLimits().mapblock_bytes;  // that a mapblock unpacks to
};

struct DecodedMapblock {
  // False if the map generator has not finished it: then it has no content.
  bool generated = true;
  Chunk chunk{};
  // The indices in the chunk of nodes whose boxes grow towards their neighbours, such as fences. In
  // `chunk` they stand alone: see MapblockDecoder::connected().
  std::vector<int> connecting{};
};

// Turns mapblocks into chunks, and adds the block types of their nodes to a table. Keeps what it
// has found of names and types from one mapblock to the next. Not thread-safe.
class MapblockDecoder {
 public:
  // Makes a decoder, and adds the channels of the kinds and definitions to the table, and the block
  // types that are named. The table, kinds and definitions must outlive it. RESOURCE_EXHAUSTED if
  // the table is full or memory runs out; errors of the names as for OpenOptions.
  static absl::StatusOr<MapblockDecoder> make(BlockTypeTable& types,
                                              const MapblockOptions& options = {});
  ~MapblockDecoder();
  MapblockDecoder(MapblockDecoder&& other) noexcept;
  MapblockDecoder& operator=(MapblockDecoder&& other) noexcept;

  // Decodes a blob as Luanti stores it. Block x + 16 y + 256 z of the chunk is node (x, y, z) of
  // the mapblock.
  //
  // Errors, after which the table may have more types: UNIMPLEMENTED for a version that is not
  // read; DATA_LOSS, with the reason, for a damaged blob; OUT_OF_RANGE for one that unpacks to more
  // than the limit; INVALID_ARGUMENT for a name that no block type can have; FAILED_PRECONDITION
  // for a block type that is not among those named; RESOURCE_EXHAUSTED if the table is full or
  // memory runs out. Cost: 20 us, 100 us for version 28.
  absl::StatusOr<DecodedMapblock> decode(std::span<const std::uint8_t> blob);

  // Returns the type of a node of that type at `at`, connected to its neighbours as they are now:
  // `block` returns the type of the block at a position, or nothing if it is not loaded. Types that
  // this decoder has not made are no neighbours, and stay as they are. Errors of the table as
  // above.
  absl::StatusOr<BlockTypeId> connected(
      BlockTypeId type, const BlockCoord& at,
      absl::FunctionRef<std::optional<BlockTypeId>(const BlockCoord& at)> block);

  // Returns the names so far that neither the table of kinds nor a definition lists, sorted; and
  // the number of types whose boxes were cut at the cube.
  std::vector<std::string> defaultedNames() const;
  std::size_t cutTypes() const;

 private:
  struct Parts;

  explicit MapblockDecoder(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace fractalray
