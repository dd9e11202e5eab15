// SPDX-License-Identifier: Apache-2.0
// Decodes one mapblock of a Luanti (Minetest) map: the names and param2 of its 16 x 16 x 16 nodes,
// by position.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

#include "../../levels/chunk.h"
#include "../luanti_mapblock.h"
#include "byte_reader.h"
#include "decompress.h"

namespace fractalray {

// The most bytes of a node's name, "mod:node". Each name is kept several times, so that 65,536 long
// ones, which pack to nothing, would take gigabytes.
inline constexpr std::size_t kMaxNodeNameBytes = 1024;

// The nodes of a mapblock, in the order of a chunk's blocks (x + 16 y + 256 z).
struct LuantiBlock {
  // False if the map generator has not finished the mapblock; its nodes are then no content of the
  // world.
  bool generated = true;
  // The names that the nodes refer to; a name may occur twice, or be unused.
  std::vector<std::string> names;
  // For each node, the index of its name.
  std::array<std::uint16_t, kBlocksPerChunk> nodes{};
  std::array<std::uint8_t, kBlocksPerChunk> param2{};
};

// Keeps its buffers from one mapblock to the next. Not thread-safe; use one per thread.
class LuantiBlockDecoder {
 public:
  explicit LuantiBlockDecoder(std::uint64_t max_content = InputLimits().mapblock_bytes)
      : decompressor_(max_content) {}

  // Decodes a blob of serialization version 28 or 29 and replaces `block` by its content. Reads all
  // of the blob, even parts whose content is not wanted, so that damage does not go unseen: node
  // metadata, objects and timers must be well formed, and nothing may follow them.
  //
  // Errors: UNIMPLEMENTED for another version, which the message names; DATA_LOSS with the reason
  // for a damaged blob (the content of `block` is then unspecified); OUT_OF_RANGE for data that
  // unpacks to more than `max_content` bytes; RESOURCE_EXHAUSTED if memory runs out, which says
  // nothing about the blob.
  absl::Status decode(ByteSpan blob, LuantiBlock& block);

 private:
  absl::Status decodeZstd(ByteSpan blob, LuantiBlock& block);
  absl::Status decodeZlib(ByteSpan blob, LuantiBlock& block);
  absl::Status readMapping(ByteReader& bytes, LuantiBlock& block);
  // Replaces the ids of the nodes by indices into `block.names`.
  absl::Status resolveNodes(LuantiBlock& block);

  Decompressor decompressor_;
  std::vector<std::uint8_t> content_;
  std::vector<std::uint16_t> mapped_ids_;   // of this block, in the order of its names
  std::vector<std::uint32_t> names_by_id_;  // 1 + the index of an id's name; 0 if it has none
};

}  // namespace fractalray
